import process from 'node:process';

import { readCodeOwners } from '../read/code-owners.ts';
import { readManifests } from '../read/read-manifests.ts';
import { readVersions } from '../read/read-sides.ts';
import { workingTree } from '../read/repository.ts';
import { readUsageFile } from '../read/usage-file.ts';
import { readRules, rulesFile } from '../rules/rules.ts';
import { describeWho } from '../who/describe-who.ts';
import { whoUses } from '../who/who-uses.ts';

export interface WhoOptions {
  /** `Product.stock`. */
  readonly coordinate: string;
  /** An export of usage. */
  readonly usage: string | undefined;
  readonly format: 'text' | 'json';
}

/**
 * Prints who owns and who uses an element of the working tree's schema.
 *
 * @throws {CommandError} for a coordinate that the schema does not have, and for what cannot be read
 */
export function who({ coordinate, usage, format }: WhoOptions): void {
  const head = workingTree(process.cwd());
  const rules = readRules(head.read(rulesFile));
  const report = whoUses({
    coordinate,
    graph: readVersions(head, head).after,
    listed: readManifests(head, rules.manifests),
    usage: usage === undefined ? undefined : readUsageFile(usage),
    rules,
    ownersOf: readCodeOwners(head.read('.github/CODEOWNERS') ?? ''),
    today: new Date(),
  });
  process.stdout.write(format === 'json' ? `${JSON.stringify(report, null, 2)}\n` : describeWho(report));
}
