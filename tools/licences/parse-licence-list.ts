/** A dependency and the SPDX expression of its licence. */
export interface LicensedPackage {
  readonly name: string;
  readonly licence: string;
}

/**
 * Reads what `pnpm licenses list --json` prints: licence → packages.
 *
 * @throws {Error} when it is anything else, an empty list included: a failing pnpm must not look like a clean one
 */
export function parseLicenceList(json: string): LicensedPackage[] {
  const list: unknown = JSON.parse(json);
  const packages = Object.entries(Object(list)).flatMap(([licence, members]) =>
    Array.isArray(members) ? members.map((member: unknown) => ({ name: nameOf(member), licence })) : [],
  );
  if (packages.length === 0) {
    throw new Error('Cannot parse the list of licences: it has no packages');
  }
  return packages;
}

function nameOf(member: unknown): string {
  if (typeof member === 'object' && member !== null && 'name' in member && typeof member.name === 'string') {
    return member.name;
  }
  throw new Error('Cannot parse the list of licences: a package has no name');
}
