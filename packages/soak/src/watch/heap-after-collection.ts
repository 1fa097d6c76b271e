/** The inspector's response to `Runtime.evaluate`. */
interface InspectorResponse {
  readonly result?: { readonly result?: { readonly value?: unknown } };
}

/**
 * Is evaluated in the process: one collection of everything, as V8 makes it by itself. (The protocol's own
 * `HeapProfiler.collectGarbage` makes up to seven in a row, for a third of a second, which clients would feel.)
 */
const collectAndMeasure = `(() => {
  process.getBuiltinModule('node:v8').setFlagsFromString('--expose-gc');
  globalThis.collectForSoak ??= process.getBuiltinModule('node:vm').runInNewContext('gc');
  globalThis.collectForSoak();
  return process.memoryUsage().heapUsed;
})()`;

const timeoutMs = 10_000;

/**
 * Has a Node process collect its garbage, and returns what is left on its heap, in bytes: what it holds, whenever it would have
 * collected by itself. The process was started with `--inspect`, at that port of 127.0.0.1.
 */
export async function heapAfterCollection(inspectorPort: number): Promise<number> {
  const response = await fetch(`http://127.0.0.1:${inspectorPort}/json/list`);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- of Node's own inspector
  const [target] = (await response.json()) as readonly { readonly webSocketDebuggerUrl: string }[];
  if (target === undefined) {
    throw new Error('The inspector has nothing to inspect');
  }
  const socket = new WebSocket(target.webSocketDebuggerUrl);
  try {
    return await usedHeap(socket);
  } finally {
    socket.close();
  }
}

function usedHeap(socket: WebSocket): Promise<number> {
  return new Promise((resolve, reject) => {
    const fail = (): void => reject(new Error('The inspector has closed the connection'));
    AbortSignal.timeout(timeoutMs).addEventListener('abort', fail);
    socket.addEventListener('error', fail);
    socket.addEventListener('close', fail);
    socket.addEventListener('open', () => {
      const params = { expression: collectAndMeasure, returnByValue: true };
      socket.send(JSON.stringify({ id: 1, method: 'Runtime.evaluate', params }));
    });
    socket.addEventListener('message', ({ data }) => {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- of Node's own inspector
      const { result } = JSON.parse(String(data)) as InspectorResponse;
      const bytes = result?.result?.value;
      if (typeof bytes === 'number') {
        resolve(bytes);
      } else {
        reject(new Error(`The process has not said what is on its heap: ${String(data)}`));
      }
    });
  });
}
