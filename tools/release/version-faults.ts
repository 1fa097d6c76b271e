import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { parse } from 'yaml';

/** The members of a package.json or a Chart.yaml that hold the version of the release. */
interface Versioned {
  readonly version?: string;
  readonly appVersion?: string;
}

/**
 * One sentence for each file with another version than the root's package.json.
 *
 * @param root of the workspace
 * @param tag of the release, such as `v1.2.0`; absent where there is none yet
 */
export function versionFaults(root: string, version: string, tag?: string): string[] {
  const files = globSync(['{apps,packages/*}/*/package.json', 'deploy/helm/*/Chart.yaml'], {
    cwd: root,
  }).toSorted();
  const faults = files.flatMap((file) => {
    // JSON is YAML.
    const { version: own, appVersion }: Versioned = parse(readFileSync(join(root, file), 'utf8'));
    const others = [own, appVersion].filter((found) => found !== undefined && found !== version);
    return others.map((found) => `${file} has the version ${found}, and package.json ${version}`);
  });
  const isOtherTag = tag !== undefined && tag !== `v${version}`;
  return isOtherTag ? [`the tag is ${tag}, and the version ${version}`, ...faults] : faults;
}
