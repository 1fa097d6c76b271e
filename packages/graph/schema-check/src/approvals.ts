import { CommandError } from '@meridian/settings/command-line';
import { isRecord } from '@meridian/settings/values';
import { parse, parseDocument } from 'yaml';

import { isChangeKind } from './changes/kinds.ts';
import { fingerprintOf } from './changes/change.ts';

/** An entry of schema-approvals.yaml: one change that may be merged although it fails. */
export interface Approval {
  readonly fingerprint: string;
  readonly kind: string;
  readonly coordinate: string;
  readonly before: string | null;
  readonly after: string | null;
  readonly subgraph: string | null;
  /** The contract, or the graph of several; null for the whole graph. */
  readonly graph: string | null;
  readonly reason: string;
  readonly owner: string;
  /** The last day on which it holds: `2026-12-31`. */
  readonly expires: string;
}

/**
 * - `used`: it approves a change of this check.
 * - `unused`: no change has its fingerprint; it may be deleted once what it approved is merged.
 * - `expired`: it holds no longer.
 * - `unknown`: its fingerprint is not the fingerprint of its kind, coordinate and values.
 */
export type ApprovalState = 'used' | 'unused' | 'expired' | 'unknown';

export const approvalsFile = 'schema-approvals.yaml';

/**
 * Reads the approvals.
 *
 * @param text of the file; undefined where there is none
 * @throws {CommandError} for one that is not understood
 */
export function readApprovals(text: string | undefined): readonly Approval[] {
  let value: unknown;
  try {
    value = text === undefined ? {} : (parse(text) ?? {});
  } catch (error) {
    throw new CommandError(`Cannot read ${approvalsFile}: ${error instanceof Error ? error.message : ''}`, {
      cause: error,
    });
  }
  const entries: unknown = isRecord(value) ? (value['approvals'] ?? []) : undefined;
  if (!Array.isArray(entries)) {
    throw new CommandError(`Cannot read ${approvalsFile}: it takes a list under \`approvals\``);
  }
  return entries.map(readApproval);
}

function readApproval(entry: unknown, index: number): Approval {
  const fields = isRecord(entry) ? entry : {};
  const text = (name: string): string => {
    const value = fields[name];
    if (typeof value === 'string' && value.trim() !== '') {
      return value;
    }
    throw new CommandError(`Cannot read ${approvalsFile}: approvals[${index}].${name} takes a text`);
  };
  const optional = (name: string): string | null => {
    const value = fields[name];
    return typeof value === 'string' ? value : null;
  };
  const expires = text('expires');
  if (!/^\d{4}-\d{2}-\d{2}$/u.test(expires) || Number.isNaN(Date.parse(expires))) {
    throw new CommandError(
      `Cannot read ${approvalsFile}: approvals[${index}].expires takes a day: "2026-12-31"`,
    );
  }
  return {
    fingerprint: text('fingerprint'),
    kind: text('kind'),
    coordinate: text('coordinate'),
    before: optional('before'),
    after: optional('after'),
    subgraph: optional('subgraph'),
    graph: optional('graph'),
    reason: text('reason'),
    owner: text('owner'),
    expires,
  };
}

/** Says whether an approval holds. */
export function stateOf(approval: Approval, fingerprints: ReadonlySet<string>, today: Date): ApprovalState {
  if (!isGenuine(approval)) {
    return 'unknown';
  }
  if (approval.expires < today.toISOString().slice(0, 10)) {
    return 'expired';
  }
  return fingerprints.has(approval.fingerprint) ? 'used' : 'unused';
}

function isGenuine(approval: Approval): boolean {
  return isChangeKind(approval.kind) && approval.fingerprint === fingerprintOf(approval, approval.graph);
}

/** The approval of a change as a report has it. */
export function approvalOf(
  { fingerprint, kind, coordinate, before, after, subgraph, graph }: Omit<Approval, keyof Statement>,
  statement: Statement,
): Approval {
  return { fingerprint, kind, coordinate, before, after, subgraph, graph, ...statement };
}

type Statement = Pick<Approval, 'reason' | 'owner' | 'expires'>;

/** The text of the file with one more approval; comments and the other entries stay as they are. */
export function withApproval(text: string | undefined, approval: Approval): string {
  const document = parseDocument(
    text ?? '# Changes that may be merged although `pnpm check` fails: docs/schema-checks.md.\n',
  );
  const entry = Object.fromEntries(Object.entries(approval).filter(([, value]) => value !== null));
  if (document.has('approvals')) {
    document.addIn(['approvals'], document.createNode(entry));
  } else {
    document.set('approvals', document.createNode([entry]));
  }
  return document.toString({ lineWidth: 0 });
}
