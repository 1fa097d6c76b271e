/** Checks a list against what has to be in it, both ways: a fault for each name that is missing, or left over. */
export function listFaults(list: string, listed: readonly string[], wanted: readonly string[]): string[] {
  return [
    ...wanted.filter((name) => !listed.includes(name)).map((name) => `${list} lacks ${name}`),
    ...listed
      .filter((name) => !wanted.includes(name))
      .map((name) => `${list} has ${name}, which does not exist`),
  ];
}
