import { describe, expect, it } from '@jest/globals';

import { approvalOf, readApprovals, withApproval } from '../src/approvals.ts';
import type { Approval } from '../src/approvals.ts';
import { checkEdits, replacing } from './support/shipped-graph.ts';

const edits = { users: replacing('me: User @authenticated', 'me: User') };
const today = new Date('2026-01-31T12:00:00Z');

async function approvalFor(parts: Partial<Approval> = {}): Promise<Approval> {
  const { changes } = await checkEdits(edits);
  const change = changes.find(({ kind }) => kind === 'AUTHORIZATION_LOOSENED');
  if (change === undefined) {
    throw new Error('The change was not found');
  }
  const statement = {
    reason: 'Anonymous visitors are greeted.',
    owner: '@meridian/users',
    expires: '2026-03-01',
  };
  return { ...approvalOf(change, statement), ...parts };
}

describe('An approval', () => {
  it('lets a change of authorization pass, which fails without one although it breaks no client', async () => {
    expect(await checkEdits(edits)).toMatchObject({ verdict: 'fails', counts: { security: 1 } });
    const report = await checkEdits(edits, { approvals: [await approvalFor()], today });
    expect(report.verdict).toBe('passes');
    expect(report.changes[0]).toMatchObject({ verdict: 'approved' });
    expect(report.approvals).toMatchObject([{ state: 'used' }]);
  });

  it('is reported when it is expired, unused or unknown; an unknown one fails the check', async () => {
    const expired = await checkEdits(edits, {
      approvals: [await approvalFor({ expires: '2026-01-30' })],
      today,
    });
    expect(expired).toMatchObject({ verdict: 'fails', approvals: [{ state: 'expired' }] });
    expect(await checkEdits({}, { approvals: [await approvalFor()], today })).toMatchObject({
      verdict: 'passes',
      approvals: [{ state: 'unused' }],
    });
    expect(
      await checkEdits({}, { approvals: [await approvalFor({ coordinate: 'Query.other' })], today }),
    ).toMatchObject({
      verdict: 'fails',
      approvals: [{ state: 'unknown' }],
    });
  });

  it('is written beside the others, and read again', async () => {
    const [first, second] = [await approvalFor(), await approvalFor({ coordinate: 'User', after: null })];
    const text = withApproval(withApproval(undefined, first), second);
    expect(text).toMatch(/^# Changes that may be merged/u);
    expect(readApprovals(text)).toEqual([first, second]);
    expect(readApprovals(undefined)).toEqual([]);
    expect(() => readApprovals('approvals: [{}]')).toThrow('approvals[0].expires takes a text');
  });
});
