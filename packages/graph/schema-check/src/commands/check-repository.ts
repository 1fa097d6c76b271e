import { writeFileSync } from 'node:fs';
import process from 'node:process';

import { CommandError, UsageError } from '@meridian/settings/command-line';

import { changeOf } from '../changes/change.ts';
import { approvalsFile, readApprovals } from '../approvals.ts';
import type { CheckInput } from '../check-graphs.ts';
import { checkGraphs } from '../check-graphs.ts';
import { deprecatedCoordinates } from '../deprecations/deprecated-since.ts';
import type { GraphConfigFile, OwnManifests, ReadLimits } from '../limits/gateway-limits.ts';
import { manifestFilesOf, noManifests, ownManifests, routerFile } from '../limits/gateway-limits.ts';
import type { ReadFigures } from '../plans/figures.ts';
import { readCodeOwners } from '../read/code-owners.ts';
import type { ListedOperations } from '../read/read-manifests.ts';
import { readManifestsOfBoth } from '../read/read-manifests.ts';
import { readSupergraphFiles, readVersions, supergraphConfigFile } from '../read/read-sides.ts';
import type { Version } from '../read/repository.ts';
import { versionAt, versionBefore, workingTree } from '../read/repository.ts';
import type { RecordedUsage } from '../read/usage-file.ts';
import { readUsageFile } from '../read/usage-file.ts';
import { isNotMade } from '../report/describe.ts';
import { failedReport } from '../report/faults.ts';
import type { Format } from '../report/render-report.ts';
import { renderReport } from '../report/render-report.ts';
import type { CheckReport } from '../report/report.ts';
import type { GraphConfigs, OtherGraphs } from '../read/other-graphs.ts';
import { readOtherGraphs } from '../read/other-graphs.ts';
import { mergeReports } from '../report/merge-reports.ts';
import { readRules, rulesFile } from '../rules/rules.ts';
import { stricterRules } from '../rules/stricter-rules.ts';

/** The flags of `pnpm check`. */
export interface CheckOptions {
  /** A git ref. */
  readonly base: string;
  readonly baseSupergraph?: string | undefined;
  readonly headSupergraph?: string | undefined;
  /** An export of usage. */
  readonly usage?: string | undefined;
  /** Exports of contracts and further graphs, by their names. */
  readonly usageOf?: ReadonlyMap<string, string>;
  /** The gateway's way to compute figures, under the limits of a router.yaml. */
  readonly createReadFigures: (routerConfig: string | undefined, ofGraph?: GraphConfigFile) => ReadFigures;
  /** The gateway's limits on operations. */
  readonly readLimits: ReadLimits;
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

/**
 * Checks a changed graph and prints the report. Sets the exit code.
 *
 * @throws {unknown} an error for which the check could not be made. The outputs say so too, except the text of a terminal,
 * which shows the error anyway
 */
export async function checkAndReport(options: CheckOptions, outputs: CheckOutputs): Promise<void> {
  let report: CheckReport;
  try {
    report = await checkRepository(options);
  } catch (error) {
    if (!(error instanceof UsageError)) {
      writeReport(reportOfError(error, options), outputs);
    }
    throw error;
  }
  writeReport(report, outputs);
  process.exitCode = exitCodes[report.verdict];
}

function writeReport(report: CheckReport, { format, files }: CheckOutputs): void {
  for (const [fileFormat, path] of files) {
    writeFileSync(path, renderReport(report, fileFormat));
  }
  if (format !== 'text' || !isNotMade(report.faults)) {
    process.stdout.write(renderReport(report, format));
  }
}

function reportOfError(error: unknown, options: CheckOptions): CheckReport {
  const { base, baseSupergraph, headSupergraph, root = process.cwd() } = options;
  const head = workingTree(root);
  return failedReport(error, {
    base: baseSupergraph ?? base,
    head: headSupergraph ?? head.name,
    ownersOf: readCodeOwners(head.read('.github/CODEOWNERS') ?? ''),
  });
}

/** Two files are one graph each. */
const noOthers: OtherGraphs = {
  compared: [],
  gone: new Map(),
  whole: '',
  wholeConfigs: { before: undefined, after: undefined },
  names: new Set(),
};

/**
 * Checks the graph of a repository against a ref of it, or two supergraphs.
 *
 * @throws {CommandError} for what cannot be read or composed
 */
export async function checkRepository(options: CheckOptions): Promise<CheckReport> {
  const { baseSupergraph, headSupergraph, root = process.cwd() } = options;
  const head = workingTree(root);
  const areFiles = baseSupergraph !== undefined && headSupergraph !== undefined;
  if (!areFiles && (baseSupergraph ?? headSupergraph) !== undefined) {
    throw new UsageError('--base-supergraph and --head-supergraph come together');
  }
  const ownersOf = readCodeOwners(head.read('.github/CODEOWNERS') ?? '');
  const base = areFiles ? head : versionAt(root, options.base);
  let deprecated: ReadonlySet<string> | undefined;
  const deprecatedBefore = (): ReadonlySet<string> => {
    const version = areFiles ? undefined : versionBefore(root, options.base, judge.rules.deprecationDays);
    // Where history does not reach back so far, nothing was deprecated.
    return deprecatedCoordinates(version?.read('supergraph.graphql') ?? '');
  };
  // Before its first commit with a graph, everything is new.
  const hasGraph = areFiles || base.read(supergraphConfigFile) !== undefined;
  const sides = areFiles
    ? readSupergraphFiles(baseSupergraph, headSupergraph)
    : readVersions(hasGraph ? base : head, head);
  const usageOf = (name: string): RecordedUsage | undefined => {
    const file = options.usageOf?.get(name);
    return file === undefined ? undefined : readUsageFile(file);
  };
  const others = areFiles ? noOthers : readOtherGraphs(base, head, sides);
  const unknown = [...(options.usageOf?.keys() ?? [])].find((name) => !others.names.has(name));
  if (unknown !== undefined) {
    throw new UsageError(`--usage ${unknown}=…: there is no such contract or graph`);
  }
  if (options.usage !== undefined && options.usageOf?.has(others.whole)) {
    throw new UsageError(`--usage ${others.whole}=… is of the whole graph, as is --usage ${options.usage}`);
  }
  for (const [name, sentence] of others.gone) {
    if (usageOf(name)?.operations.length !== 0) {
      throw new CommandError(
        `${sentence}, and no usage without operations (--usage ${name}=<file>) says that it has no clients`,
      );
    }
  }
  const judgeOf = (configs: GraphConfigs): Judge => readJudge(base, head, options.readLimits, configs);
  const judge = judgeOf(others.wholeConfigs);
  const { rules } = judge;
  const graphs = others.compared.map(({ configs, ...graph }) => ({
    ...graph,
    readFigures: options.createReadFigures(head.read(routerFile), configs?.after),
    judge: configs && judgeOf(configs),
  }));
  const listedOf = (own: Judge['own'], counts: OfBoth<(file: string) => boolean>): ListedOperations => {
    const paths = [...new Set([...own.before.paths, ...own.after.paths])];
    const manifests = [...rules.manifests, ...paths.map((path) => ({ path, client: undefined }))];
    return readManifestsOfBoth(base, head, manifests, ownersOf, counts);
  };
  /** All manifests but those that only other graphs have. */
  const isOfWhole = (side: keyof OfBoth<unknown>): ((file: string) => boolean) => {
    const named = manifestFilesOf(side === 'before' ? base : head, judge.limits?.[side].manifests ?? []);
    const foreign = new Set(graphs.flatMap((graph) => [...(graph.judge?.own[side].files ?? [])]));
    return (file) => named.has(file) || !foreign.has(file);
  };
  const input: CheckInput = {
    sides,
    graph: null,
    base: areFiles
      ? baseSupergraph
      : `${base.name}${hasGraph ? '' : ', which has no graph: everything is new'}`,
    head: areFiles ? headSupergraph : head.name,
    ...listedOf(judge.own, { before: isOfWhole('before'), after: isOfWhole('after') }),
    usage: options.usage === undefined ? usageOf(others.whole) : readUsageFile(options.usage),
    unread: unreadOf(judge),
    rules: unreadOf(judge).length > 0 ? { ...rules, operations: 'any' } : rules,
    ruleChanges: judge.ruleChanges,
    limits: areFiles ? undefined : judge.limits,
    approvals: readApprovals(head.read(approvalsFile)),
    ownersOf,
    readFigures: options.createReadFigures(head.read(routerFile), others.wholeConfigs.after),
    today: new Date(),
    wasDeprecated: (coordinate) => (deprecated ??= deprecatedBefore()).has(coordinate),
  };
  const reports: [string, CheckReport][] = [];
  for (const { name, sides: ofGraph, readFigures, judge: own } of graphs) {
    const isRegistered =
      own?.rules.operations === 'registered' && own.own.before.areAll && own.own.after.areAll;
    const report = await checkGraphs({
      ...input,
      sides: ofGraph,
      graph: name,
      // Without manifests of its own, usage alone knows its operations.
      ...(own === undefined
        ? { listedBefore: [], listedAfter: [] }
        : listedOf(own.own, {
            before: (file) => own.own.before.files.has(file),
            after: (file) => own.own.after.files.has(file),
          })),
      unread: own === undefined ? [] : unreadOf(own),
      rules: { ...rules, operations: isRegistered ? 'registered' : 'any' },
      ruleChanges: [],
      limits: own?.limits,
      readFigures,
      usage: usageOf(name),
    });
    reports.push([name, report]);
  }
  const whole = await checkGraphs(input);
  return reports.length === 0 ? whole : mergeReports(whole, reports);
}

interface OfBoth<Value> {
  readonly before: Value;
  readonly after: Value;
}

interface Judge extends Pick<CheckInput, 'rules' | 'ruleChanges' | 'limits'> {
  readonly own: OfBoth<OwnManifests>;
}

function unreadOf({ own }: Judge): readonly string[] {
  return [...new Set([...own.before.unread, ...own.after.unread])];
}

/** Reads the rules and the limits of both versions. A base whose file cannot be read has none, so that a change can fix it. */
function readJudge(base: Version, head: Version, readLimits: ReadLimits, configs: GraphConfigs): Judge {
  const changed = readRules(head.read(rulesFile));
  const former = base.read(rulesFile);
  const { rules, loosened } = stricterRules(
    former === undefined ? changed : unlessUnreadable(() => readRules(former), changed),
    changed,
  );
  const routerConfig = head.read(routerFile);
  const after = readLimits(routerConfig, configs.after);
  const formerConfig = base.read(routerFile);
  const before =
    formerConfig === undefined
      ? after
      : unlessUnreadable(() => readLimits(formerConfig, configs.before), after);
  const hasGateway = (routerConfig ?? formerConfig) !== undefined;
  const isContradicted = rules.operations === 'registered' && hasGateway && !after.isSafelistOn;
  return {
    rules: isContradicted ? { ...rules, operations: 'any' } : rules,
    ruleChanges: isContradicted
      ? [...loosened, changeOf('SAFELIST_MISSING', `${rulesFile} operations`)]
      : loosened,
    limits: { before, after },
    own: {
      before: unlessUnreadable(() => ownManifests(base, configs.before, readLimits), noManifests),
      after: ownManifests(head, configs.after, readLimits),
    },
  };
}

function unlessUnreadable<Value>(read: () => Value, otherwise: Value): Value {
  try {
    return read();
  } catch (error) {
    if (error instanceof CommandError) {
      return otherwise;
    }
    throw error;
  }
}
