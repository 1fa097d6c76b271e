import { StopController } from '@meridian/cancellation';
import { describe, expect, it } from '@jest/globals';
import type { SubgraphRequest, SubgraphResponse } from '@meridian/executor';
import { composeInterceptors } from '@meridian/executor';
import type { SigV4 } from '@meridian/router-config';

import { signRequests } from '../../src/subgraphs/sign-requests.ts';
import { useTestGateway } from '../support/use-test-gateway.ts';

const service = { region: 'us-east-1', service_name: 'service', assume_role: undefined };
const keys = { access_key_id: 'AKIDEXAMPLE', secret_access_key: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY' };
const hardcoded: SigV4 = { hardcoded: { ...keys, ...service }, default_chain: undefined };

/** The header fields that a subgraph at the URL gets, at the moment of AWS's vectors. */
async function signed(
  url: string,
  settings = hardcoded,
  { body = '', signal = new StopController(), headers = {} } = {},
): Promise<Readonly<Record<string, string>>> {
  let sent: SubgraphRequest<undefined> | undefined;
  const call = composeInterceptors<SubgraphRequest<undefined>, Promise<SubgraphResponse>>(
    [signRequests(settings, url, () => new Date('2015-08-30T12:36:00Z'))],
    (request) => {
      sent = request;
      return Promise.resolve({ text: '', cacheControl: undefined });
    },
  );
  await call({ subgraph: 'a', operationKind: 'query', body, headers, signal, run: undefined });
  return sent?.headers ?? {};
}

function authorizationOf(signature: string, fields = 'host;x-amz-date', name = 'service'): string {
  return `AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/${name}/aws4_request, SignedHeaders=${fields}, Signature=${signature}`;
}

describe('signRequests', () => {
  // Of AWS's published test suite for Signature Version 4: post-vanilla and post-vanilla-query.
  it.each([
    ['https://example.amazonaws.com/', '5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b'],
    [
      'https://example.amazonaws.com/?Param1=value1',
      '28038455d6de14eafc1f9222cf5aa6f1a96197d7deb8263271d420d138af7f11',
    ],
  ])('makes the signature that AWS publishes for %s', async (url, signature) => {
    expect(await signed(url)).toEqual({
      'x-amz-date': '20150830T123600Z',
      authorization: authorizationOf(signature),
    });
  });

  it('replaces the authorization of the client, and keeps its other fields', async () => {
    const headers = { authorization: 'Bearer a', 'x-name': 'a' };
    expect(await signed('https://example.amazonaws.com/', hardcoded, { headers })).toMatchObject({
      'x-name': 'a',
      authorization: expect.stringMatching(/^AWS4-HMAC-SHA256 /),
    });
  });

  it('depends on the body, but not for VPC Lattice, which takes it unsigned', async () => {
    const signatures = async (name: string): Promise<number> => {
      const settings = { ...hardcoded, hardcoded: { ...keys, ...service, service_name: name } };
      const all = ['{}', '{"query":"{ a }"}'].map((body) =>
        signed('https://a.example/graphql', settings, { body }),
      );
      return new Set((await Promise.all(all)).map(({ authorization }) => authorization)).size;
    };
    expect(await signatures('lambda')).toBe(2);
    expect(await signatures('vpc-lattice-svcs')).toBe(1);
  });

  it('does not wait for credentials longer than for the request', async () => {
    const signal = new StopController();
    const reason = new Error('too late');
    const unreachable: SigV4 = {
      hardcoded: undefined,
      default_chain: { ...service, profile_name: 'no-such-profile' },
    };
    const call = signed('https://a.example/', unreachable, { signal });
    signal.abort(reason);
    await expect(call).rejects.toBe(reason);
  });

  it('fails as an unreachable subgraph does where there are no credentials', async () => {
    const none: SigV4 = {
      hardcoded: undefined,
      default_chain: { ...service, profile_name: 'no-such-profile' },
    };
    await expect(signed('https://a.example/', none)).rejects.toMatchObject({
      code: 'SUBREQUEST_HTTP_ERROR',
      message: 'the request cannot be signed',
    });
  });
});

describe('authentication.subgraph', () => {
  const gateway = useTestGateway();

  it('signs the requests to all subgraphs, and to one by its own credentials', async () => {
    const sigV4 = (id: string): string =>
      `aws_sig_v4: { hardcoded: { access_key_id: ${id}, secret_access_key: b, region: eu-west-1, service_name: lambda } }`;
    await gateway.start({
      config: `authentication: { subgraph: { all: { ${sigV4('COMMON')} }, subgraphs: { reviews: { ${sigV4('OWN')} } } } }`,
    });
    await gateway.post({ query: 'query A { product(id: 1) { name reviews { id } } }' });
    const credentials = [gateway.products, gateway.reviews].map(
      ({ received }) => /Credential=(\w+)\//.exec(received[0]?.headers.authorization ?? '')?.[1],
    );
    expect(credentials).toEqual(['COMMON', 'OWN']);
  });
});
