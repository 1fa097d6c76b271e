import process from 'node:process';

import { UsageError } from '@meridian/command-line';

import { checkGraphs } from '../check-graphs.ts';
import { readCodeOwners } from '../read/code-owners.ts';
import { readManifests } from '../read/read-manifests.ts';
import { readSupergraphFiles, readVersions } from '../read/read-sides.ts';
import { versionAt, workingTree } from '../read/repository.ts';
import { readUsageFile } from '../read/usage-file.ts';
import { jsonReport } from '../report/json.ts';
import type { CheckReport } from '../report/report.ts';
import { textReport } from '../report/text.ts';
import { readRules, rulesFile } from '../rules/rules.ts';

/** The flags of `pnpm check`. */
export interface CheckOptions {
  /** A git ref. */
  readonly base: string;
  readonly baseSupergraph: string | undefined;
  readonly headSupergraph: string | undefined;
  /** An export of usage. */
  readonly usage: string | undefined;
  readonly format: Format;
  /** The repository. Default: the working directory. */
  readonly root?: string;
}

export const formats = ['text', 'json'] as const;
export type Format = (typeof formats)[number];

/** 0: it may be merged; 1: it must not; 3: nothing says. 2 is for a wrong call. */
const exitCodes = { passes: 0, fails: 1, undecided: 3 } as const;

const outputs: Readonly<Record<Format, (report: CheckReport) => string>> = {
  text: textReport,
  json: jsonReport,
};

/** Checks a changed graph and prints the report. Sets the exit code. */
export function check(options: CheckOptions): void {
  const report = checkRepository(options);
  process.stdout.write(outputs[options.format](report));
  process.exitCode = exitCodes[report.verdict];
}

/**
 * Checks the graph of a repository against a ref of it, or two supergraphs.
 *
 * @throws {CommandError} for what cannot be read or composed
 */
export function checkRepository(options: CheckOptions): CheckReport {
  const { baseSupergraph, headSupergraph, root = process.cwd() } = options;
  const head = workingTree(root);
  const rules = readRules(head.read(rulesFile));
  const areFiles = baseSupergraph !== undefined && headSupergraph !== undefined;
  if (!areFiles && (baseSupergraph ?? headSupergraph) !== undefined) {
    throw new UsageError('--base-supergraph and --head-supergraph come together');
  }
  const base = areFiles ? head : versionAt(root, options.base);
  return checkGraphs({
    sides: areFiles ? readSupergraphFiles(baseSupergraph, headSupergraph) : readVersions(base, head),
    base: areFiles ? baseSupergraph : base.name,
    head: areFiles ? headSupergraph : head.name,
    listedBefore: readManifests(base, rules.manifests),
    listedAfter: readManifests(head, rules.manifests),
    usage: options.usage === undefined ? undefined : readUsageFile(options.usage),
    rules,
    ownersOf: readCodeOwners(head.read('.github/CODEOWNERS') ?? ''),
    today: new Date(),
    approvalOf: () => undefined,
    wasDeprecated: () => true,
  });
}
