import { firstNames, lastNames } from './names.ts';

/** A person who acts for a demo tenant. Who they are to the system follows from `subject` and the token's issuer. */
export interface DemoUser {
  /** The `sub` of the tokens that this user presents. */
  readonly subject: string;
  readonly name: string;
}

/**
 * The 240 users that every tenant has, `alice` and `bob` first. More than 200, so that ten reviews of each of twenty products can all have different authors.
 */
export function demoUsers(): DemoUser[] {
  return lastNames.flatMap((lastName, row) =>
    firstNames.map((firstName) => ({
      // The first family has the plain subjects that are quick to type for a token.
      subject: (row === 0 ? firstName : `${firstName}.${lastName}`).toLowerCase(),
      name: `${firstName} ${lastName}`,
    })),
  );
}
