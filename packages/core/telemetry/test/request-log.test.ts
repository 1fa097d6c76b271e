import { describe, expect, it } from '@jest/globals';
import { createLogger, createRequestLog } from '@meridian/telemetry';
import type { LoggerOptions } from '@meridian/telemetry';

const jwt = 'eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJodW50ZXIyIn0.hunter2';

describe('createRequestLog', () => {
  it.each([
    ['plain texts and numbers', { path: '/graphql', status: 200, durationMs: 0.149 }],
    ['a member that is undefined', { operation: undefined, status: 200 }],
    ['an empty text', { operation: '' }],
    ['a list', { errorCodes: ['NOT_FOUND', 'FORBIDDEN'] }],
    ['a text with quotes, a line feed and a backslash', { path: '/"a"\n\\' }],
    ['a text outside ASCII, and half of a surrogate pair', { clientName: 'Zoë \ud83d' }],
    ['a number that JSON does not have', { durationMs: Number.NaN }],
    ['a null', { operation: null }],
    ['a text of 5000 characters', { path: `/${'a'.repeat(5000)}` }],
    ['a JSON Web Token', { path: `/${jwt}` }],
    ['a bearer token', { clientName: 'Bearer hunter2.x-y_z' }],
    ['a bearer token in another case', { clientName: 'bEARER hunter2.x-y_z' }],
    ['texts with a j and with a space', { operation: 'Subject', clientName: 'web app' }],
    ['a URL with credentials', { path: '/postgres://alice:hunter2@db/accounts' }],
  ])('writes the line that the logger writes, for %s', (_what, members) => {
    const { logger, lines } = memoryLogger();
    logger.info({ requestId: 'r1', ...members }, 'request');
    createRequestLog(logger)({ requestId: 'r1' }, members);
    createRequestLog(logger)({ requestId: 'r1', ...members }, undefined);
    const [byLogger, ...others] = lines().map(withoutTime);
    expect(others).toEqual([byLogger, byLogger]);
    expect(byLogger).not.toContain('hunter2');
  });

  it('leaves out the methods of notes that have a class', () => {
    const { logger, lines } = memoryLogger();
    createRequestLog(logger)({ status: 200 }, new Date());
    expect(lines().map(withoutTime)).toEqual([
      '{"level":"info","time":"","service":"accounts","status":200,"msg":"request"}\n',
    ]);
  });

  it('writes nothing where the level leaves it out', () => {
    const { logger, lines } = memoryLogger({ level: 'warn' });
    createRequestLog(logger)({ status: 200 }, undefined);
    expect(lines()).toEqual([]);
  });

  it('writes the members of a child of the logger', () => {
    const { logger, lines } = memoryLogger();
    createRequestLog(logger.child({ worker: 2 }))({ status: 200 }, undefined);
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
