import { AsyncLocalStorage } from 'node:async_hooks';

import { DeadlineQueue } from '@meridian/cancellation';
import { DeadlineExceeded } from '@meridian/http';
import type { Logger } from '@meridian/telemetry';

import type { GatewayConfig } from '../config/gateway-config.ts';
import type { EarlyResponse, StageHandlers, StageMessage } from '../stages/messages.ts';
import { Message } from '../stages/request-stages.ts';
import { isThenable } from '../stages/run-steps.ts';
import { guardAt } from './guard-message.ts';
import type { HookFiles } from './hook-files.ts';
import { HookWatch } from './hook-watch.ts';
import { hooksErrorOf } from './hooks-error.ts';
import { importAnew } from './import-hooks.ts';
import type { Hook, HooksOfModule } from './read-hooks.ts';
import { readHooks } from './read-hooks.ts';

/** The hooks of one configuration, ready for requests. */
export interface OpenHooks {
  readonly handlers: readonly StageHandlers[];
  /** Stops them, once no request uses them. */
  readonly close: () => Promise<void>;
}

export interface HooksOptions {
  readonly logFormat: GatewayConfig['logFormat'];
  readonly files: HookFiles;
  readonly logger: Logger;
}

/** For which a module may take. A stop is part of the time in which the process has to end. */
const maxMs = { loading: 30_000, 'start()': 30_000, 'stop()': 10_000 };

/**
 * Loads the hooks that a configuration names, and starts them.
 *
 * @throws {HooksError}
 */
export async function openHooks(
  { specifiers, folder, timeoutMs }: NonNullable<GatewayConfig['hooks']>,
  { files, logFormat, logger }: HooksOptions,
): Promise<OpenHooks> {
  const fingerprints = new Map<string, string>();
  const modules: HooksOfModule[] = [];
  const stopLogging = logForgottenPromises(logger);
  let specifier = '';
  try {
    for (specifier of specifiers) {
      const load = (): Promise<unknown> => importAnew(specifier, folder, { fingerprints });
      const loaded = await within(load, 'loading', logger);
      const module = readHooks(loaded, specifier);
      modules.push(module);
      await within(module.start, 'start()', logger);
    }
  } catch (error) {
    await stopAll(modules, logger);
    stopLogging();
    throw hooksErrorOf(error, specifier, [...fingerprints.keys()]);
  } finally {
    files.watch(fingerprints);
  }
  const all = modules.flatMap(({ hooks }) => hooks);
  const watch = new HookWatch(
    all.map(({ name, stage }) => `${name} at ${stage}`),
    { isJson: logFormat === 'json', logger },
  );
  const deadlines = new DeadlineQueue(timeoutMs);
  return {
    handlers: all.map((hook, index) => ({
      name: `the hook ${hook.name}`,
      [hook.stage]: bounded(hook, index, { watch, deadlines, timeoutMs, logger }),
    })),
    async close() {
      await stopAll(modules, logger);
      stopLogging();
      await watch.close();
    },
  };
}

async function within(
  code: (() => unknown) | undefined,
  name: keyof typeof maxMs,
  logger: Logger,
): Promise<unknown> {
  if (code === undefined) {
    return undefined;
  }
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`${name} took more than ${maxMs[name]} ms`)), maxMs[name]);
  try {
    return await Promise.race([asOwner(logger, code), late]);
  } finally {
    clearTimeout(timer);
  }
}

async function stopAll(modules: readonly HooksOfModule[], logger: Logger): Promise<void> {
  const stop = async ({ name, stop: code }: HooksOfModule): Promise<void> => {
    try {
      await within(code, 'stop()', logger);
    } catch (error) {
      logger.error({ err: error, hooks: name }, 'hooks could not be stopped');
    }
  };
  await Promise.all(modules.map(stop));
}

interface Bounds {
  readonly watch: HookWatch;
  readonly deadlines: DeadlineQueue;
  readonly timeoutMs: number;
  readonly logger: Logger;
}

type Result = EarlyResponse | undefined;

/** A hook did not end in time. */
class HookTimeout extends DeadlineExceeded {
  constructor(hook: string, timeoutMs: number) {
    super(timeoutMs);
    this.message = `the hook ${hook} took more than its ${timeoutMs} ms`;
  }
}

/** The code of a hook, within its time. What it still does after that has no effect on the request. */
function bounded(
  { name, stage, run }: Hook,
  index: number,
  { watch, deadlines, timeoutMs, logger }: Bounds,
): (message: StageMessage) => Result | Promise<Result> {
  const wait = async (waiting: PromiseLike<unknown>, message: StageMessage): Promise<Result> => {
    const { promise: late, reject } = Promise.withResolvers<never>();
    const deadline = deadlines.start(() => {
      const timeout = new HookTimeout(`${name} at ${stage}`, timeoutMs);
      reject(timeout);
      Message.requestOf(message).abortWork(timeout);
    });
    watch.beginWait(index);
    try {
      return asResult(await Promise.race([waiting, late]));
    } finally {
      watch.endWait(index);
      deadlines.end(deadline);
    }
  };
  const guard = guardAt(stage);
  return (message) => {
    watch.begin(index);
    try {
      const result = asOwner(logger, () => run(guard(message)));
      return isThenable(result) ? wait(result, message) : asResult(result);
    } finally {
      watch.end();
    }
  };
}

function asResult(value: unknown): Result {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- its type says so; the stage checks it
  return value as Result;
}

const users = new Map<object, Logger>();
/** The logger of the graph whose hook has begun what runs. */
const owners = new AsyncLocalStorage<Logger>();

/** Calls code of a graph's hooks, as its owner where there are others. */
function asOwner<Value>(logger: Logger, code: () => Value): Value {
  return users.size > 1 ? owners.run(logger, code) : code();
}

function report(error: unknown): void {
  const [first] = users.values();
  const logger = owners.getStore() ?? first;
  logger?.error(
    { err: error },
    'a promise was rejected that nothing awaits: a hook has to await, or catch, what it begins',
  );
}

/**
 * Logs rejected promises that nothing awaits, for which Node would end the process: code of an operator forgets one
 * easily, and all requests would fail for it. The returned function gives them back to Node, unless others log them.
 */
function logForgottenPromises(logger: Logger): () => void {
  const user = {};
  if (users.size === 0) {
    process.on('unhandledRejection', report);
  }
  users.set(user, logger);
  return () => {
    users.delete(user);
    if (users.size === 0) {
      process.off('unhandledRejection', report);
    }
  };
}
