import { listFaults } from './list-faults.ts';

/** Holds the list of apps in provision.sql against the apps that have a database. */
export function provisionFaults(sql: string, databases: readonly string[]): string[] {
  const list = /array\[(?<names>[^\]]*)\]\) as app\b/u.exec(sql)?.groups?.['names'];
  if (list === undefined) {
    return ['there is no list of apps: unnest(array[…]) as app'];
  }
  const names = Array.from(list.matchAll(/'(?<name>[^']*)'/gu), ({ groups }) => groups?.['name'] ?? '');
  return listFaults('the list of apps', names, databases);
}
