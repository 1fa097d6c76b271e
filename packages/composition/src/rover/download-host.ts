import { Agent as HttpAgent, request as requestByHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestByHttps } from 'node:https';

export interface Reach {
  readonly timeoutMs: number;
  /** The environment whose `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY` count, as they do for Rover. */
  readonly proxies: NodeJS.ProcessEnv;
}

/**
 * Asks an `https:` or `http:` host for any answer at all. Returns undefined when it gives one, be it an error's, else why there is
 * none.
 */
export async function whyUnreachable(
  host: string,
  { timeoutMs, proxies }: Reach,
): Promise<string | undefined> {
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  const signal = AbortSignal.timeout(timeoutMs);
  const options = { method: 'HEAD', signal };
  const request = host.startsWith('http:')
    ? requestByHttp(host, { ...options, agent: new HttpAgent({ proxyEnv: proxies }) })
    : requestByHttps(host, { ...options, agent: new HttpsAgent({ proxyEnv: proxies }) });
  request.once('response', (response) => {
    response.resume();
    resolve(undefined);
  });
  request.once('error', (error) => {
    resolve(signal.aborted ? `no answer from ${host} within ${timeoutMs / 1000} s` : error.message);
  });
  request.end();
  return await promise;
}
