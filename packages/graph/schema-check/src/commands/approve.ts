import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';

import { CommandError } from '@meridian/settings/command-line';

import type { Approval } from '../approvals.ts';
import { approvalsFile, withApproval } from '../approvals.ts';
import { workingTree } from '../read/repository.ts';
import type { CheckOptions } from './check-repository.ts';
import { checkRepository } from './check-repository.ts';

/** The call of `pnpm check --approve`. */
export interface ApprovalRequest extends Pick<Approval, 'fingerprint' | 'reason' | 'owner'> {
  /** `2026-12-31` */
  readonly until: string;
}

/**
 * Writes an approval of a change of this check into schema-approvals.yaml.
 *
 * @throws {CommandError} where no change that fails has the fingerprint
 */
export async function approve(
  options: CheckOptions,
  { fingerprint, reason, owner, until }: ApprovalRequest,
): Promise<void> {
  const { changes } = await checkRepository(options);
  const change = changes.find((candidate) => candidate.fingerprint === fingerprint);
  if (change === undefined || change.verdict === 'passes') {
    throw new CommandError(
      change === undefined
        ? `No change of this check has the fingerprint ${fingerprint}`
        : `${change.message}: it passes, and needs no approval`,
    );
  }
  const { root = process.cwd() } = options;
  const { kind, coordinate, before, after, subgraph, graph } = change;
  const text = withApproval(workingTree(root).read(approvalsFile), {
    fingerprint,
    kind,
    coordinate,
    before,
    after,
    subgraph,
    graph,
    reason,
    owner,
    expires: until,
  });
  writeFileSync(join(root, approvalsFile), text);
  process.stdout.write(`${approvalsFile}: ${change.message}, approved until ${until}. Commit it.\n`);
}
