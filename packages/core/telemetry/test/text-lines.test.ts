import { describe, expect, it } from '@jest/globals';
import { createLogger, createRequestLog } from '@meridian/telemetry';

function textOf(write: (logger: ReturnType<typeof createLogger>) => void): string {
  let text = '';
  write(
    createLogger({
      service: 'gateway',
      format: 'text',
      destination: { write: (line) => void (text += line) },
    }),
  );
  return text;
}

describe('A logger of the format text', () => {
  it('writes the time, the level, the message and the members', () => {
    const text = textOf((logger) => logger.warn({ path: '/graphql', sizes: [1, 2] }, 'slow'));
    expect(text).toMatch(/^\d\d:\d\d:\d\d\.\d{3} WARN {2}slow {2}path=\/graphql {2}sizes=\[1,2\]\n$/);
  });

  it('writes the line of a request', () => {
    const line = {
      requestId: '0b5e',
      traceId: '4bf9',
      method: 'GET',
      path: '/',
      route: '/',
      status: 200,
      durationMs: 1,
    };
    const text = textOf((logger) => createRequestLog(logger)(line, { operation: 'Page' }));
    expect(text).toMatch(
      / INFO {2}request {2}requestId=0b5e .* status=200 {2}durationMs=1 {2}operation=Page\n$/,
    );
  });

  it('writes the stack of an error below its line', () => {
    const text = textOf((logger) => logger.error({ err: new Error('no room') }, 'failed'));
    expect(text).toMatch(/ ERROR failed\n {4}Error: no room\n {8}at /);
  });

  it('leaves nothing of a foreign text that a terminal would obey, and no secret', () => {
    const text = textOf((logger) =>
      logger.info({ path: '\u001b[2J\n12:00 INFO forged', token: 'Bearer abc.def.ghi' }, '\u009b31m\r'),
    );
    expect(text.slice(0, -1)).not.toMatch(/\p{Cc}/u);
    expect(text).not.toContain('abc.def.ghi');
  });
});
