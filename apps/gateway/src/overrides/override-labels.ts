import type { Supergraph } from '@meridian/executor';
import { findLabels, percentOf } from '@meridian/executor';
import type { OverrideLabelRule } from '@meridian/router-config';
import type { Logger } from '@meridian/telemetry';

import type { GatewayConfig } from '../config/gateway-config.ts';
import type { AdmittedOperation } from '../operation/admitted-operation.ts';
import { hasClaim } from '../operation/has-claim.ts';
import { compileCondition } from '../selectors/compile-condition.ts';
import type { OnRead } from '../selectors/noting-facts.ts';
import { notingFacts } from '../selectors/noting-facts.ts';
import type { RequestFacts } from '../selectors/request-facts.ts';

/** The labels of a supergraph's progressive overrides, and the rules for them. */
export interface OverrideLabels {
  /** The labels that only code at the stages can set. */
  readonly unresolved: readonly string[];
  /** Those that the plans of an operation depend on. */
  namesOf(operation: AdmittedOperation): readonly string[];
  /**
   * True where a request sets a label.
   *
   * @param isGiven true where code at its stages has set it
   * @param onRead called for what a condition reads
   */
  decide(label: string, request: RequestFacts, isGiven: boolean, onRead: OnRead): boolean;
  /** The sets of labels that requests for an operation are likely to have. */
  likelySets(operation: AdmittedOperation): readonly (ReadonlySet<string> | undefined)[];
}

interface OverrideLabelOptions {
  /** True where there is code at the stages, which can set any label that has no rule. */
  readonly hasStages: boolean;
  readonly logger: Pick<Logger, 'warn'>;
}

/** An operation with more undecided labels is planned without them, and with all of them. */
const maxPlannedLabels = 3;

/**
 * Reads the labels, which `meridian.override_labels`, code at the stages, and chance for `percent(n)` decide; undefined for a
 * supergraph without labels.
 */
export function openOverrideLabels(
  supergraph: Supergraph,
  { override_labels: rules, executor }: GatewayConfig['file']['meridian'],
  { hasStages, logger }: OverrideLabelOptions,
): OverrideLabels | undefined {
  const labels = [...supergraph.overrideLabels];
  const unknownLabels = [...rules.keys()].filter((label) => !supergraph.overrideLabels.has(label));
  if (unknownLabels.length > 0) {
    logger.warn({ unknownLabels, labels }, 'router.yaml names labels that no field of the supergraph has');
  }
  if (labels.length === 0 || executor === 'apollo') {
    return undefined;
  }
  const decisions = new Map(labels.map((label) => [label, decisionOf(label, rules.get(label))]));
  const found = new WeakMap<AdmittedOperation, readonly string[]>();
  const namesOf = (operation: AdmittedOperation): readonly string[] => {
    let names = found.get(operation);
    if (names === undefined) {
      ({ names } = findLabels(operation.document, supergraph));
      found.set(operation, names);
    }
    return names;
  };
  /** Undefined where it depends on the request. */
  const settled = (label: string): boolean | undefined => {
    const rule = rules.get(label);
    if (rule !== undefined) {
      return typeof rule === 'boolean' ? rule : undefined;
    }
    const percent = percentOf(label) ?? 0;
    return percent >= 100 || (percent > 0 || hasStages ? undefined : false);
  };
  return {
    unresolved: labels.filter((label) => !rules.has(label) && percentOf(label) === undefined),
    namesOf,
    decide: (label, request, isGiven, onRead) => decisions.get(label)?.(request, isGiven, onRead) === true,
    likelySets(operation) {
      const names = namesOf(operation);
      const always = names.filter((label) => settled(label) === true);
      const open = names.filter((label) => settled(label) === undefined);
      if (open.length > maxPlannedLabels) {
        return [new Set(always), new Set([...always, ...open])];
      }
      return Array.from(
        { length: 2 ** open.length },
        (_, bits) => new Set([...always, ...open.filter((_label, index) => (bits >> index) % 2 === 1)]),
      );
    },
  };
}

function decisionOf(
  label: string,
  rule: OverrideLabelRule | undefined,
): (request: RequestFacts, isGiven: boolean, onRead: OnRead) => boolean {
  if (rule === undefined) {
    const percent = percentOf(label) ?? 0;
    return (_request, isGiven) => isGiven || Math.random() * 100 < percent;
  }
  if (typeof rule === 'object' && rule.kind === 'claim') {
    // Of a token, whose fields are part of `Vary` already.
    return ({ caller }) => hasClaim(caller, rule);
  }
  const test = compileCondition(rule);
  return (request, _isGiven, onRead) => test(notingFacts(request, onRead), undefined);
}
