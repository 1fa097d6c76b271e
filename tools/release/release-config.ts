import { readFileSync } from 'node:fs';

/** `release.json`: the names and the requirements of what is published. */
export interface ReleaseConfig {
  /** Name in the workspace → name on npm. A package that is not here is inlined where it is imported. */
  readonly names: Readonly<Record<string, string>>;
  readonly engines: Readonly<Record<string, string>>;
  /** Dependencies that the application brings, with their ranges: two copies of them do not work together. */
  readonly peers: Readonly<Record<string, string>>;
  /** Dependencies that are published without `^`: versions of them are not exchangeable. */
  readonly exact: readonly string[];
}

export const releaseConfig: ReleaseConfig = JSON.parse(textOf('release.json'));

/** The version of everything that is released: the root's package.json has it, and nothing else does. */
export const { version }: { readonly version: string } = JSON.parse(textOf('package.json'));

function textOf(file: string): string {
  return readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
}
