/** A CPU profile of V8: the sampled call chains of the thread, and their times. */
export interface CpuProfile {
  readonly nodes: readonly ProfileNode[];
  /** The node of each sample. */
  readonly samples: readonly number[];
  /** The time before each sample, in microseconds. */
  readonly timeDeltas: readonly number[];
}

/** A function, in one chain of calls. */
export interface ProfileNode {
  readonly id: number;
  readonly callFrame: { readonly functionName: string; readonly url: string };
  readonly children?: readonly number[];
}

/** Profiles the main thread of a process. */
export interface Profiler {
  start(): Promise<void>;
  stop(): Promise<CpuProfile>;
  close(): void;
}

interface Result {
  readonly profile?: CpuProfile;
}

interface Reply {
  readonly id?: number;
  readonly result?: Result;
  readonly error?: { readonly message: string };
}

const samplingIntervalMicroseconds = 250;

/** Connects to a process that was started with `--inspect`, by the Chrome DevTools Protocol. */
export async function connectProfiler(inspectorPort: number): Promise<Profiler> {
  const response = await fetch(`http://127.0.0.1:${inspectorPort}/json/list`);
  const targets: readonly { readonly webSocketDebuggerUrl: string }[] = JSON.parse(await response.text());
  const socket = new WebSocket(targets[0]?.webSocketDebuggerUrl ?? '');
  const waiting = new Map<number, PromiseWithResolvers<Result>>();
  let asked = 0;
  socket.addEventListener('message', ({ data }) => {
    const { id = 0, result = {}, error }: Reply = JSON.parse(String(data));
    const question = waiting.get(id);
    waiting.delete(id);
    if (error === undefined) {
      question?.resolve(result);
    } else {
      question?.reject(new Error(`The inspector refuses: ${error.message}`));
    }
  });
  socket.addEventListener('close', () => {
    waiting.forEach(({ reject }) => reject(new Error('The inspector has closed the connection')));
  });
  const ask = async (method: string, params: object = {}): Promise<Result> => {
    const question = Promise.withResolvers<Result>();
    asked += 1;
    waiting.set(asked, question);
    socket.send(JSON.stringify({ id: asked, method, params }));
    return await question.promise;
  };

  const opened = Promise.withResolvers<void>();
  socket.addEventListener('open', () => opened.resolve());
  socket.addEventListener('error', () => opened.reject(new Error('The inspector cannot be reached')));
  await opened.promise;
  await ask('Profiler.enable');
  await ask('Profiler.setSamplingInterval', { interval: samplingIntervalMicroseconds });
  return {
    async start() {
      await ask('Profiler.start');
    },
    async stop() {
      const { profile } = await ask('Profiler.stop');
      if (profile === undefined) {
        throw new Error('The inspector has no profile');
      }
      return profile;
    },
    close: () => socket.close(),
  };
}
