import { describe, expect, it } from '@jest/globals';

import { RequestNotes } from '../../src/telemetry/request-notes.ts';

describe('RequestNotes', () => {
  it('does not read the data of a result without errors, which would decode all of it', () => {
    const notes = new RequestNotes({});
    const result = {
      get data(): string {
        throw new Error('The data was read');
      },
    };
    notes.onExecuted([], result);
    expect(notes.outcome).toBeUndefined();
  });

  it.each([
    ['partial', '{"a":null}'],
    ['error', 'null'],
  ])('tells %s from data beside errors', (outcome, data) => {
    const notes = new RequestNotes({});
    notes.onExecuted([{ message: 'Failed', extensions: { code: 'A' } }], { data });
    expect(notes).toMatchObject({ outcome, errorCodes: ['A'] });
  });
});
