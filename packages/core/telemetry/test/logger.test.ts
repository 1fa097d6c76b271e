import { describe, expect, it } from '@jest/globals';
import { createLogger, redactSecrets } from '@meridian/telemetry';
import type { Logger, LoggerOptions } from '@meridian/telemetry';

describe('createLogger', () => {
  it('writes one JSON object a line, with the service, the level by name and the time', () => {
    const { logger, lines } = memoryLogger();
    logger.info({ accountId: 'a1' }, 'account created');
    expect(lines()).toEqual([
      {
        level: 'info',
        time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
        service: 'accounts',
        accountId: 'a1',
        msg: 'account created',
      },
    ]);
  });

  it('writes the message of a cause once', () => {
    const { logger, lines } = memoryLogger();
    logger.error(
      { err: new Error('cannot load: a } is missing', { cause: new Error('a } is missing') }) },
      'x',
    );
    expect(lines()[0]).toMatchObject({
      err: { message: 'cannot load: a } is missing', stack: expect.stringContaining('caused by') },
    });
  });

  it('writes an error with its stack and its cause', () => {
    const { logger, lines } = memoryLogger();
    logger.error({ err: new Error('cannot swap', { cause: new Error('connection lost') }) }, 'failed');
    expect(lines()[0]).toMatchObject({
      err: {
        type: 'Error',
        message: 'cannot swap: connection lost',
        stack: expect.stringContaining('caused by'),
      },
    });
  });

  it('leaves out what is below its level', () => {
    const { logger, lines } = memoryLogger({ level: 'warn' });
    logger.info('quiet');
    logger.warn('loud');
    expect(lines()).toHaveLength(1);
  });

  it.each([
    'authorization',
    'Authorization',
    'set-cookie',
    'token',
    'accessToken',
    'password',
    'client_secret',
    'databaseUrl',
    'DATABASE_URL',
    'ETAG_KEYS',
    'http.request.header.cookie',
  ])('redacts a member named %s, however deep', (name) => {
    const { logger, lines } = memoryLogger();
    const secret = 'hunter2 "and" \\ more';
    logger.info({ [name]: secret, a: { b: { c: { d: { [name]: [secret, secret] } } } }, after: 'shown' });
    const blank = { [name]: '[redacted]' };
    expect(lines()).toEqual([
      expect.objectContaining({ ...blank, a: { b: { c: { d: blank } } }, after: 'shown' }),
    ]);
  });

  it.each(['tokens', 'passwordless', 'secretary', 'keys'])('keeps a member named %s', (name) => {
    const { logger, lines } = memoryLogger();
    logger.info({ [name]: 'shown' });
    expect(lines()).toEqual([expect.objectContaining({ [name]: 'shown' })]);
  });

  it.each([
    [
      'a password in a URL',
      'cannot reach postgres://alice:hunter2@db/accounts',
      'postgres://[redacted]@db/accounts',
    ],
    ['a bearer token', 'sent Authorization: Bearer hunter2.x-y_z=', 'Authorization: Bearer [redacted]'],
    [
      'a JWT',
      'token eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJodW50ZXIyIn0.hunter2 expired',
      'token [redacted] expired',
    ],
  ])('redacts %s inside a text, and in the message of an error', (_what, leaking, expected) => {
    const { logger, text } = memoryLogger();
    logger.error({ err: new Error(leaking), deep: { a: { b: { c: { d: leaking } } } } }, leaking);
    expect(text()).not.toContain('hunter2');
    expect(text()).toContain(expected);
  });

  it('still writes valid JSON after redaction', () => {
    const { logger, lines } = memoryLogger();
    logger.info({ url: 'postgres://u:p@h', quoted: '"Bearer abc"' }, 'Bearer abc');
    expect(lines()).toMatchObject([
      { url: 'postgres://[redacted]@h', quoted: '"Bearer [redacted]"', msg: 'Bearer [redacted]' },
    ]);
  });

  it.each([
    ['a JWT after a word', 'x-eyJhbGciOiJ9.eyJzdWIi.hunter2 expired', 'x-[redacted] expired'],
    ['a JWT after a dotted name', 'a.eyJhbGciOiJ9.eyJzdWIi.hunter2', 'a.[redacted]'],
  ])('redacts %s', (_what, leaking, expected) => {
    const { logger, text, lines } = memoryLogger();
    logger.info({ leaking });
    expect(text()).not.toContain('ter2');
    expect(text()).toContain(expected);
    expect(lines()).toHaveLength(1);
  });

  it.each(['eyJ-', 'eyJ.', '"token":[', '"token":"', '://a', 'Bearer ', '\\"'])(
    'takes no more time for each character of a long line, full of %s, than of a short one',
    (piece) => {
      const cpuMsOf = (copies: number): number => {
        const line = JSON.stringify({ reason: piece.repeat(copies) });
        const before = process.cpuUsage();
        redactSecrets(line);
        const { user, system } = process.cpuUsage(before);
        return (user + system) / 1000;
      };
      const copies = 100_000;
      cpuMsOf(copies / 10);
      // Quadratic time would be minutes; linear time is some milliseconds.
      expect(cpuMsOf(copies)).toBeLessThan(1000);
    },
  );

  it('truncates long values, wherever they are in a line, and keeps the rest', () => {
    const { logger, text, lines } = memoryLogger();
    const long = 'x'.repeat(10_000_000);
    const err = Object.assign(new Error(long), { detail: long });
    const many = Array.from({ length: 100_000 }, (_, index) => index);
    logger.error({ path: `/${long}`, err, deep: [{ [long]: long }], many, status: 414 }, long);
    expect(text().length).toBeLessThan(100_000);
    expect(lines()).toEqual([
      expect.objectContaining({
        level: 'error',
        service: 'accounts',
        path: expect.stringMatching(/^\/x{4095}… \(10000001 characters\)$/),
        err: expect.objectContaining({ type: 'Error' }),
        many: expect.arrayContaining([0, 1, 2, '… (100000 items)']),
        status: 414,
        msg: expect.stringMatching(/^x{4096}… \(10000000 characters\)$/),
      }),
    ]);
  });

  it('keeps a text of 4000 characters, such as a stack, unchanged', () => {
    const { logger, lines } = memoryLogger();
    logger.info({ a: 'x'.repeat(4000), b: 'y'.repeat(4000) });
    expect(lines()).toEqual([expect.objectContaining({ a: 'x'.repeat(4000), b: 'y'.repeat(4000) })]);
  });

  it('keeps an address with an @ in its path or query', () => {
    const { logger, text } = memoryLogger();
    logger.info('GET https://api.example/users/@me?mail=a@b');
    expect(text()).toContain('https://api.example/users/@me?mail=a@b');
  });
});

function memoryLogger(options: Partial<LoggerOptions> = {}): {
  logger: Logger;
  text: () => string;
  lines: () => unknown[];
} {
  const written: string[] = [];
  const destination = { write: (line: string) => void written.push(line) };
  return {
    logger: createLogger({ service: 'accounts', destination, ...options }),
    text: () => written.join(''),
    lines: () => written.map((line): unknown => JSON.parse(line)),
  };
}
