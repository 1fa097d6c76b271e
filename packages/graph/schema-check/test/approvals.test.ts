import { describe, expect, it } from '@jest/globals';

import { approvalOf, readApprovals, withApproval } from '../src/approvals.ts';
import type { Approval } from '../src/approvals.ts';
import { renderReport } from '../src/report/render-report.ts';
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
    const other = await approvalFor({ coordinate: 'Query.other' });
    const unknown = await checkEdits({}, { approvals: [other], today });
    expect(unknown).toMatchObject({ verdict: 'fails', approvals: [{ state: 'unknown' }] });
    const sentence = 'the fingerprint of an approval does not match its other fields';
    expect(renderReport(unknown, 'text')).toContain(
      `schema-approvals.yaml must not be merged like this: ${sentence}.`,
    );
    expect(renderReport(unknown, 'junit')).toMatch(
      new RegExp(`failures="1"[^]*name="unknown: .* Query.other [^]*<failure message="${sentence}"`, 'u'),
    );
    expect(renderReport(unknown, 'github')).toContain(
      `::error file=schema-approvals.yaml,line=1,col=1,title=APPROVAL_INVALID::${sentence}.%0Aunknown: `,
    );
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
