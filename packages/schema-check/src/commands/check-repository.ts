import { writeFileSync } from 'node:fs';
import process from 'node:process';

import { UsageError } from '@meridian/command-line';

import type { Approval } from '../approvals/approvals.ts';
import { approvalsFile, readApprovals } from '../approvals/approvals.ts';
import { checkGraphs } from '../check-graphs.ts';
import { endPhase } from '../end-phase.ts';
import type { ReadFigures } from '../plans/figures.ts';
import { readCodeOwners } from '../read/code-owners.ts';
import { readManifestsOfBoth } from '../read/read-manifests.ts';
import { readSupergraphFiles, readVersions } from '../read/read-sides.ts';
import type { Version } from '../read/repository.ts';
import { versionAt, versionBefore, workingTree } from '../read/repository.ts';
import { readUsageFile } from '../read/usage-file.ts';
import type { Format } from '../report/render-report.ts';
import { renderReport } from '../report/render-report.ts';
import type { CheckReport } from '../report/report.ts';
import { readRules, rulesFile } from '../rules/rules.ts';
import { wasDeprecatedIn } from '../verdict/was-deprecated.ts';

/** The flags of `pnpm check`. */
export interface CheckOptions {
  /** A git ref. */
  readonly base: string;
  readonly baseSupergraph?: string | undefined;
  readonly headSupergraph?: string | undefined;
  /** An export of usage. */
  readonly usage?: string | undefined;
  /** The gateway's way to compute figures, under the limits of a router.yaml. */
  readonly createReadFigures: (routerConfig: string | undefined) => ReadFigures;
  /** The repository. Default: the working directory. */
  readonly root?: string;
}

export { formats } from '../report/render-report.ts';
export type { Format } from '../report/render-report.ts';

/** The outputs of a check. */
export interface CheckOutputs {
  /** On the standard output. */
  readonly format: Format;
  /** Further ones, each in a file. */
  readonly files: readonly (readonly [format: Format, path: string])[];
}

/** 0: it may be merged; 1: it must not; 3: nothing says. 2 is for a wrong call. */
const exitCodes = { passes: 0, fails: 1, undecided: 3 } as const;

/** Checks a changed graph and prints the report. Sets the exit code. */
export async function checkAndReport(options: CheckOptions, { format, files }: CheckOutputs): Promise<void> {
  endPhase('start');
  const report = await checkRepository(options);
  for (const [fileFormat, path] of files) {
    writeFileSync(path, renderReport(report, fileFormat));
  }
  process.stdout.write(renderReport(report, format));
  endPhase('report');
  process.exitCode = exitCodes[report.verdict];
}

/**
 * Checks the graph of a repository against a ref of it, or two supergraphs.
 *
 * @throws {CommandError} for what cannot be read or composed
 */
export async function checkRepository(options: CheckOptions): Promise<CheckReport> {
  const { baseSupergraph, headSupergraph, root = process.cwd() } = options;
  const head = workingTree(root);
  const rules = readRules(head.read(rulesFile));
  const areFiles = baseSupergraph !== undefined && headSupergraph !== undefined;
  if (!areFiles && (baseSupergraph ?? headSupergraph) !== undefined) {
    throw new UsageError('--base-supergraph and --head-supergraph come together');
  }
  const ownersOf = readCodeOwners(head.read('.github/CODEOWNERS') ?? '');
  const base = areFiles ? head : versionAt(root, options.base);
  return await checkGraphs({
    sides: areFiles ? readSupergraphFiles(baseSupergraph, headSupergraph) : readVersions(base, head),
    base: areFiles ? baseSupergraph : base.name,
    head: areFiles ? headSupergraph : head.name,
    ...readManifestsOfBoth(base, head, rules.manifests, ownersOf),
    usage: options.usage === undefined ? undefined : readUsageFile(options.usage),
    rules,
    approvals: approvalsOf(head),
    ownersOf,
    readFigures: options.createReadFigures(head.read('router.yaml')),
    today: new Date(),
    wasDeprecated: wasDeprecatedIn(() =>
      areFiles
        ? undefined
        : versionBefore(root, options.base, rules.deprecationDays)?.read('supergraph.graphql'),
    ),
  });
}

function approvalsOf({ read }: Version): readonly Approval[] {
  return readApprovals(read(approvalsFile));
}
