import { isIP } from 'node:net';

import { problem } from '@meridian/problem-details';
import type { Problem } from '@meridian/problem-details';

import type { AddressPolicy } from './address-policy.ts';

/** Which URLs a webhook may have. */
export interface UrlPolicy {
  readonly addresses: AddressPolicy;
  /** True in development. */
  readonly allowsHttp: boolean;
}

/**
 * Checks a webhook's URL as far as its text goes. The addresses that its name has are checked at each connection.
 * Contract: Webhooks.
 *
 * @throws {Problem} `webhook-url-not-allowed`
 */
export function checkWebhookUrl(text: string, { addresses, allowsHttp }: UrlPolicy): void {
  if (!URL.canParse(text)) {
    throw notAllowed('is not an absolute URL');
  }
  const { protocol, username, password, hostname } = new URL(text);
  if (protocol !== 'https:' && protocol !== 'http:') {
    throw notAllowed('is not an http or https URL');
  }
  if (protocol === 'http:' && !allowsHttp) {
    throw notAllowed('is not an https URL');
  }
  if (username !== '' || password !== '') {
    throw notAllowed('has credentials; verify the signature instead');
  }
  const address = addressOf(hostname);
  if (address !== undefined && !addresses.isAllowed(address)) {
    throw notAllowed('is at an address that is not public');
  }
}

/**
 * The address that a URL's host is, in whatever notation: the URL parser has written it as four decimal numbers, or in
 * brackets. `localhost` is one too, by RFC 6761. Undefined for another name.
 */
export function addressOf(hostname: string): string | undefined {
  const host = hostname.replace(/\.$/u, '').replaceAll(/^\[|\]$/gu, '');
  return isIP(host) > 0 ? host : localhost.test(host) ? '127.0.0.1' : undefined;
}

const localhost = /(?:^|\.)localhost$/u;

function notAllowed(reason: string): Problem {
  return problem('webhook-url-not-allowed', `The URL ${reason}.`);
}
