import { firstNames, lastNames } from './names.ts';

/** A person who acts for a demo tenant. The system derives their identity from `subject` and the token's issuer. */
export interface DemoUser {
  /** The `sub` of the tokens that this user presents. */
  readonly subject: string;
  readonly name: string;
}

/**
 * The 240 users that every tenant has, `alice` and `bob` first. More than 200, so that ten reviews of each of twenty
 * products can all have different authors.
 */
export function demoUsers(): DemoUser[] {
  return lastNames.flatMap((lastName, row) =>
    firstNames.map((firstName) => ({
      // Users of the first family have subjects that are quick to type.
      subject: (row === 0 ? firstName : `${firstName}.${lastName}`).toLowerCase(),
      name: `${firstName} ${lastName}`,
    })),
  );
}
