import { Agent as HttpAgent, request as requestByHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestByHttps } from 'node:https';

export interface Reach {
  readonly timeoutMs: number;
  /** The environment whose `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY` count, as they do for Rover. */
  readonly proxies: NodeJS.ProcessEnv;
}

/**
 * Checks that an `https:` or `http:` host responds at all, with any status. Returns the reason if it does not; else
 * undefined.
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
    resolve(signal.aborted ? `no response from ${host} within ${timeoutMs / 1000} s` : error.message);
  });
  request.end();
  return await promise;
}
