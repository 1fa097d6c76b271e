import { createConfig, lintFromString } from '@redocly/openapi-core';

import { createResponseChecker } from './response-checker.ts';
import type { ResponseChecker, ObservedResponse } from './response-checker.ts';

/** The needed part of supertest's request. */
interface TestRequest {
  readonly method: string;
  readonly url: string;
  expect(check: (response: TestResponse) => void): unknown;
}

interface TestResponse {
  readonly status: number;
  readonly headers: ObservedResponse['headers'];
  /** Undefined for HEAD. */
  readonly text?: string;
}

/**
 * A plugin for supertest's agents: a request fails if its response does not match the OpenAPI document of the service.
 *
 * @param url of the service, which serves the document
 * @example supertest.agent(url).use(await documentedResponses(url))
 */
export async function documentedResponses(url: string): Promise<(request: TestRequest) => void> {
  const checker = await checkerOf(url);
  return (request) => {
    request.expect(({ status, headers, text: body = '' }) => {
      const target = request.url.slice(url.length);
      expectDocumented(checker, { method: request.method, target, status, headers, body });
    });
  };
}

/** A `fetch` for the service that rejects if a response does not match the OpenAPI document of the service. */
export type DocumentedFetch = (
  target: string,
  init?: RequestInit,
) => Promise<{ status: number; headers: Headers; text: string }>;

export async function documentedFetch(url: string): Promise<DocumentedFetch> {
  const checker = await checkerOf(url);
  return async (target, init) => {
    const response = await fetch(url + target, init);
    const { status, headers } = response;
    const text = await response.text();
    const method = init?.method ?? 'GET';
    expectDocumented(checker, { method, target, status, headers: Object.fromEntries(headers), body: text });
    return { status, headers, text };
  };
}

async function checkerOf(url: string): Promise<ResponseChecker> {
  const response = await fetch(`${url}/openapi.json`);
  return createResponseChecker(await response.text());
}

function expectDocumented(checker: ResponseChecker, response: ObservedResponse): void {
  const faults = checker.faultsOf(response);
  if (faults.length > 0) {
    throw new Error(`not as documented:\n${faults.join('\n')}`);
  }
}

/**
 * The findings of Redocly's recommended rules in an OpenAPI document, including warnings: one line for each,
 * with its place. It is the linter of `redocly lint`, without the command's telemetry and update check. And the patterns
 * that validators in other languages do not take: `\p` (Python), look-around (Go, Rust).
 */
export async function openApiFaults(document: string): Promise<string[]> {
  const config = await createConfig({ extends: ['recommended-strict'] });
  const problems = await lintFromString({ source: document, absoluteRef: 'openapi.json', config });
  const patterns = new Set(document.match(/"pattern":"(?:[^"\\]|\\.)*"/gu));
  return [
    ...problems.map(({ ruleId, message, location }) => `${location[0]?.pointer ?? ''} ${ruleId}: ${message}`),
    ...[...patterns].filter((pattern) => /\\\\[pP]\{|\(\?<?[=!]/u.test(pattern)),
  ];
}
