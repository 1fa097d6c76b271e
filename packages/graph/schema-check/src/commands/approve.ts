import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';

import { CommandError } from '@meridian/settings/command-line';

import type { Approval } from '../approvals.ts';
import { approvalOf, approvalsFile, withApproval } from '../approvals.ts';
import { workingTree } from '../read/repository.ts';
import type { CheckOptions } from './check-repository.ts';
import { checkRepository } from './check-repository.ts';

/** The call of `pnpm check --approve`. */
export interface ApprovalRequest extends Pick<Approval, 'reason' | 'owner'> {
  readonly fingerprints: readonly string[];
  /** `2026-12-31` */
  readonly until: string;
}

/**
 * Writes approvals of changes of this check into schema-approvals.yaml: all of them, or none.
 *
 * @throws {CommandError} where no change that fails has one of the fingerprints
 */
export async function approve(
  options: CheckOptions,
  { fingerprints, reason, owner, until }: ApprovalRequest,
): Promise<void> {
  const { changes } = await checkRepository(options);
  const { root = process.cwd() } = options;
  let text = workingTree(root).read(approvalsFile);
  const lines: string[] = [];
  for (const fingerprint of new Set(fingerprints)) {
    const change = changes.find((candidate) => candidate.fingerprint === fingerprint);
    if (change === undefined || change.verdict === 'passes') {
      throw new CommandError(
        change === undefined
          ? `No change of this check has the fingerprint ${fingerprint}`
          : `${change.message}: it passes, and needs no approval`,
      );
    }
    text = withApproval(text, approvalOf(change, { reason, owner, expires: until }));
    lines.push(`${approvalsFile}: ${change.message}, approved until ${until}. Commit it.\n`);
  }
  writeFileSync(join(root, approvalsFile), text ?? '');
  process.stdout.write(lines.join(''));
}
