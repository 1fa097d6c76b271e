import { CommandError } from '@meridian/settings/command-line';
import type { Supergraph } from '@meridian/executor';
import { queryHash } from '@meridian/manifest';
import type { CheckOptions, CheckedKey } from '@meridian/router-config';
import { checkConfig } from '@meridian/router-config';
import type { JudgeOperations, OperationJudgement, Rejection } from '@meridian/schema-check';
import type { GraphQLSchema } from 'graphql';

import type { CostRules, TierRules } from '../config/traffic-limits.ts';
import { assumedListSize, trafficLimits } from '../config/traffic-limits.ts';
import { manifestFiles } from '../config/remote-files.ts';
import { RequestError } from '../errors/request-error.ts';
import { likelyVariables } from '../graph/warm-up-tasks.ts';
import type { CompiledOperation } from '../operation/compiled-operation.ts';
import { sizeRejections } from '../pipeline/3-compile/size-faults.ts';
import type { CompileOptions } from '../pipeline/3-compile/compile-operation.ts';
import { createCompiler } from '../pipeline/3-compile/compile-operation.ts';
import { chooseOperation, onlyOperation } from '../pipeline/3-compile/choose-operation.ts';
import type { OperationRules } from '../pipeline/3-compile/operation-rules.ts';
import { measureOperation } from '../operation/operation-size.ts';
import { parseOperation } from '../pipeline/3-compile/parse-operation.ts';
import { checkCost } from '../pipeline/4-admit/check-cost.ts';
import { checkPageSizes, pageSizeOf } from '../pipeline/4-admit/check-page-sizes.ts';
import { accessRules } from '../supergraph/access-rules.ts';
import { cacheHints } from '../supergraph/cache-hints.ts';
import { fieldCosts } from '../supergraph/field-costs.ts';
import { pageSizes } from '../supergraph/page-sizes.ts';
import { highestCostRules } from '../tiers/tiers.ts';

/** The limits of a router.yaml on operations. */
export interface OperationLimits {
  readonly rules: OperationRules;
  /** Those that hold for the callers who may have the most. */
  readonly cost: CostRules;
  readonly tiers: TierRules;
  readonly assumedListSize: number;
  /** True when only the operations of manifests run. */
  readonly isSafelistOn: boolean;
  /** The keys of the file. */
  readonly keys: readonly CheckedKey[];
  /** The files of the manifests, as the file names them. */
  readonly manifests: readonly string[];
  /** A sentence for each limit that is in a variable without a value here: a sample takes its place. */
  readonly unknown: readonly string[];
}

/**
 * Reads the limits that hold in production.
 *
 * @param text of the file; undefined where there is none: the defaults hold
 * @param env the variables that the file may refer to
 * @throws {CommandError} for a file with an invalid value
 */
export function readLimits(
  text: string | undefined,
  {
    name = 'router.yaml',
    env = {},
    overlays = [],
  }: {
    readonly name?: string;
    readonly env?: NodeJS.ProcessEnv;
    /** Files that are merged over it. */
    readonly overlays?: CheckOptions['overlays'];
  } = {},
): OperationLimits {
  const { config, faults, keys, notes } = checkConfig(
    { name, text: text ?? '' },
    { env, readFile: () => '', mode: 'production', overlays },
  );
  if (config === undefined) {
    throw new CommandError([`Cannot read the limits of ${name}:`, ...faults].join('\n'));
  }
  const { tiers } = trafficLimits(config);
  const { enabled, safelist } = config.persisted_queries;
  const isSafelistOn = enabled && safelist.enabled;
  return {
    rules: config,
    cost: highestCostRules(tiers),
    tiers,
    assumedListSize: assumedListSize(config),
    isSafelistOn,
    keys,
    manifests: manifestFiles(config)?.paths ?? [],
    unknown: notes.filter((note) => limitKeys.test(note)),
  };
}

/**
 * Judges operations under the limits of a router.yaml that knows all of them here.
 *
 * @param text of the file; undefined where there is none: the defaults hold
 * @throws {CommandError} for a file with an invalid value, and for limits in variables without a value
 */
export function createJudgeUnder(
  text: string | undefined,
  file: { readonly name: string; readonly env: NodeJS.ProcessEnv },
): JudgeOperations {
  const limits = readLimits(text, file);
  if (limits.unknown.length > 0) {
    throw new CommandError(
      [`Set the variables of ${file.name} that hold limits:`, ...limits.unknown].join('\n'),
    );
  }
  return createJudge(limits);
}

/**
 * Judges operations under limits. The limits on size do not stop the compilation, so that an operation beyond them has
 * figures too.
 */
export function createJudge(limits: OperationLimits): JudgeOperations {
  const { rules, assumedListSize } = limits;
  const compiledRules = withoutSizeLimits(rules);
  return (graph) => {
    const supergraph = 'sdl' in graph ? graph : undefined;
    const { compile } = createCompiler({
      ...(supergraph === undefined ? withoutDirectives(graph.apiSchema) : rulesOf(supergraph)),
      assumedListSize,
      rules: compiledRules,
      cachedOperations: 1,
    });
    return (text) => {
      try {
        const operation = compile({ text, key: queryHash(text), isFromManifest: true }, undefined);
        const size = judgeSize(text, rules);
        return supergraph === undefined ? size : withFigures(size, operation, limits.cost);
      } catch (error) {
        return { rejections: [rejectionOf(error)], sizes: [], figures: undefined };
      }
    };
  };
}

/** The keys of router.yaml that limit operations. */
const limitKeys =
  /^(?:limits|demand_control|meridian\.limits|meridian\.throttle|meridian\.tiers|traffic_shaping\.router\.global_rate_limit)\b/u;

function withoutSizeLimits(rules: OperationRules): OperationRules {
  const { limits, meridian } = rules;
  return {
    ...rules,
    limits: {
      ...limits,
      max_depth: undefined,
      max_height: undefined,
      max_aliases: undefined,
      max_root_fields: undefined,
      max_recursive_selections: Number.POSITIVE_INFINITY,
    },
    meridian: {
      ...meridian,
      limits: { ...meridian.limits, introspection_max_depth: Number.POSITIVE_INFINITY },
    },
  };
}

type GraphRules = Omit<CompileOptions, 'assumedListSize' | 'rules' | 'cachedOperations'>;

function rulesOf(supergraph: Supergraph): GraphRules {
  return {
    apiSchema: supergraph.apiSchema,
    schema: supergraph.schema,
    accessRules: accessRules(supergraph),
    pageSizes: pageSizes(supergraph),
    fieldCosts: fieldCosts(supergraph),
    cacheHints: cacheHints(supergraph),
  };
}

function withoutDirectives(apiSchema: GraphQLSchema): GraphRules {
  return {
    apiSchema,
    schema: apiSchema,
    accessRules: () => [],
    pageSizes: () => undefined,
    fieldCosts: () => undefined,
    cacheHints: () => undefined,
  };
}

/** Measures an operation as it is written: compilation drops duplicates. */
function judgeSize(text: string, rules: OperationRules): OperationJudgement {
  const written = parseOperation(text, rules);
  const chosen = chooseOperation(written, undefined, rules);
  const size = measureOperation(
    onlyOperation(written, chosen, rules.meridian.limits),
    chosen,
    rules.limits.parser_max_recursion,
  );
  const { limits, meridian } = rules;
  const depthLimit = size.isPureIntrospection ? meridian.limits.introspection_max_depth : limits.max_depth;
  return {
    rejections: sizeRejections(size, rules),
    sizes: [
      { name: 'depth', count: size.depth, limit: depthLimit },
      { name: 'aliases', count: size.aliases, limit: limits.max_aliases },
      { name: 'root fields', count: size.rootFields, limit: limits.max_root_fields },
      { name: 'height', count: size.height, limit: limits.max_height },
    ],
    figures: undefined,
  };
}

function withFigures(
  { rejections, sizes }: OperationJudgement,
  operation: CompiledOperation,
  limits: CostRules,
): OperationJudgement {
  const variables = likelyVariables(operation);
  const cost = operation.estimateCost(variables);
  const tooExpensive = rejectionBy(() => checkCost(cost, limits, { log: { warn: () => undefined } }));
  const tooLarge = rejectionBy(() => checkPageSizes(operation.pageSizes, variables));
  return {
    rejections: [...rejections, ...[tooExpensive, tooLarge].filter((rejection) => rejection !== undefined)],
    sizes,
    figures: {
      cost,
      maxCost: maxCostOf(limits),
      pageSizes: operation.pageSizes.map(({ argument, value, max }) => ({
        argument,
        size: pageSizeOf(value, variables),
        max,
      })),
      pageSizeFault: tooLarge?.message,
      cache: operation.cacheHint,
      requirements: operation.requirements,
    },
  };
}

function maxCostOf({ demand, throttleCapacity }: CostRules): number | undefined {
  const limits = [demand?.isEnforced === true ? demand.max : undefined, throttleCapacity].filter(
    (limit) => limit !== undefined,
  );
  return limits.length === 0 ? undefined : Math.min(...limits);
}

function rejectionBy(check: () => void): Rejection | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    return rejectionOf(error);
  }
}

/** Rethrows what is not a rejection. */
function rejectionOf(error: unknown): Rejection {
  if (error instanceof RequestError) {
    return { code: error.code, message: error.message };
  }
  throw error;
}
