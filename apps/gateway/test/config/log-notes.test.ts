import { describe, expect, it } from '@jest/globals';
import { createLogger } from '@meridian/telemetry';

import { logNotes } from '../../src/config/log-notes.ts';

describe('logNotes', () => {
  it('writes a line for each note, and one for all ignored keys', () => {
    const lines: unknown[] = [];
    const logger = createLogger({
      service: 'gateway',
      destination: { write: (line) => void lines.push(JSON.parse(line)) },
    });
    const withoutEffect = ['homepage', 'telemetry.apollo'];
    logNotes({ notes: ['one', 'two'], ignoredKeys: { withoutEffect, unsupported: ['batching'] } }, logger);
    expect(lines).toMatchObject([
      { note: 'one' },
      { note: 'two' },
      { withoutEffect, unsupported: ['batching'] },
    ]);
    logNotes({ notes: [], ignoredKeys: { withoutEffect: [], unsupported: [] } }, logger);
    expect(lines).toHaveLength(3);
  });
});
