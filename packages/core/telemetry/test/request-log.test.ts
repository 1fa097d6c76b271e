import { describe, expect, it } from '@jest/globals';
import { createLogger, createRequestLog } from '@meridian/telemetry';
import type { LoggerOptions } from '@meridian/telemetry';

const jwt = 'eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJodW50ZXIyIn0.hunter2';

const line = {
  requestId: '0b5e7e4e-2f0a-4b7c-9a3d-1c2d3e4f5a6b',
  traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
  method: 'POST',
  path: '/graphql',
  route: '/graphql',
  status: 200,
  durationMs: 0.149,
};

describe('createRequestLog', () => {
  it.each<[string, Readonly<Record<string, unknown>>]>([
    ['plain texts and numbers', { operation: 'Page', costEstimated: 12.5 }],
    ['a member that is undefined', { operation: undefined, parts: 2 }],
    ['an empty text', { operation: '' }],
    ['a list', { errorCodes: ['NOT_FOUND', 'FORBIDDEN'] }],
    ['a text with quotes, a line feed and a backslash', { operation: '/"a"\n\\' }],
    ['a text outside ASCII, and half of a surrogate pair', { operation: 'Zoë \ud83d' }],
    ['a number that JSON does not have', { firstPartMs: Number.NaN }],
    ['a null', { operation: null }],
    ['a text of 5000 characters', { operation: `/${'a'.repeat(5000)}` }],
    ['a JSON Web Token', { operation: `/${jwt}` }],
    ['a bearer token', { operation: 'Bearer hunter2.x-y_z' }],
    ['a bearer token in another case', { operation: 'bEARER hunter2.x-y_z' }],
    ['texts with a j and with a space', { operation: 'Subject', clientName: 'web app' }],
    ['a URL with credentials', { operation: '/postgres://alice:hunter2@db/accounts' }],
  ])('writes the line that the logger writes, for %s', (_what, notes) => {
    const { logger, lines } = memoryLogger();
    const writeLine = createRequestLog(logger);
    const { operation } = notes;
    const path = typeof operation === 'string' ? operation : '/';
    // Each also after an equal one, and after others.
    const written = [
      [line, notes],
      [line, { ...notes }],
      [{ ...line, path }, notes],
      [
        { ...line, path, status: 404 },
        { outcome: 'error', ...notes },
      ],
      [{ ...line, path, status: 404, route: 'unmatched' }, {}],
      [{ ...line, path, method: 'GET', durationMs: 12 }, undefined],
      [line, notes],
    ] as const;
    for (const [members, further] of written) {
      logger.info({ ...members, ...further }, 'request');
      writeLine(members, further);
    }
    const all = lines().map(withoutTime);
    expect(all).toHaveLength(2 * written.length);
    expect(all.filter((_line, index) => index % 2 === 1)).toEqual(
      all.filter((_line, index) => index % 2 === 0),
    );
    expect(all.join('')).not.toContain('hunter2');
  });

  it('leaves out the methods of notes that have a class', () => {
    const { logger, lines } = memoryLogger();
    createRequestLog(logger)(line, new Date());
    logger.info(line, 'request');
    const [written, byLogger] = lines().map(withoutTime);
    expect(written).toBe(byLogger);
  });

  it('writes nothing where the level leaves it out', () => {
    const { logger, lines } = memoryLogger({ level: 'warn' });
    createRequestLog(logger)(line, undefined);
    expect(lines()).toEqual([]);
  });

  it('writes the members of a child of the logger', () => {
    const { logger, lines } = memoryLogger();
    createRequestLog(logger.child({ worker: 2 }))(line, undefined);
    expect(lines().map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({ worker: 2, status: 200, msg: 'request' }),
    ]);
  });
});

function memoryLogger(options: Partial<LoggerOptions> = {}) {
  const written: string[] = [];
  const logger = createLogger({
    service: 'accounts',
    destination: { write: (line) => void written.push(line) },
    ...options,
  });
  return { logger, lines: () => written };
}

function withoutTime(line: string): string {
  return line.replace(/"time":"[^"]*"/, '"time":""');
}
