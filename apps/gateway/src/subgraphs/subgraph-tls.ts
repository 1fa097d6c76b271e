import type { SecureContext } from 'node:tls';
import { createSecureContext } from 'node:tls';
import { isDeepStrictEqual } from 'node:util';

import type { ClientTls } from '@meridian/executor';
import type { Logger } from '@meridian/telemetry';

import type { ClientCertificates } from '../config/client-certificates.ts';
import type { GatewayConfig } from '../config/gateway-config.ts';
import { followCertificates } from '../reload/follow-certificate.ts';

export interface SubgraphTlsOptions {
  /** Reads the configuration again. Absent: it never changes. */
  readonly readConfig: (() => GatewayConfig) | undefined;
  readonly logger: Logger;
  /** The interval between checks of files for changes, in milliseconds. */
  readonly checkEveryMs: number;
}

/** The certificates of connections to subgraphs, for the life of the process. */
export class SubgraphTls {
  readonly #options: SubgraphTlsOptions;
  readonly #held = new Map<string, HeldCertificates>();
  #stop: (() => void) | undefined;

  constructor(options: SubgraphTlsOptions) {
    this.#options = options;
  }

  /** A subgraph's, from now on; they follow their files. Undefined where none are configured. */
  readonly of = (subgraph: string, certificates: ClientCertificates | undefined): ClientTls | undefined => {
    if (certificates === undefined) {
      return undefined;
    }
    const held = this.#held.get(subgraph) ?? new HeldCertificates();
    held.replace(certificates);
    this.#held.set(subgraph, held);
    this.#follow();
    return held;
  };

  close(): void {
    this.#stop?.();
  }

  #follow(): void {
    const { readConfig: read, ...options } = this.#options;
    this.#stop ??=
      read &&
      followCertificates({
        of: 'subgraphs',
        config: read(),
        read,
        take: ({ subgraphs }) => this.#replace(subgraphs.settingsOf),
        ...options,
      });
  }

  #replace(settingsOf: GatewayConfig['subgraphs']['settingsOf']): boolean {
    const replaced = Array.from(this.#held, ([subgraph, held]) => {
      const { certificates } = settingsOf(subgraph);
      return certificates !== undefined && held.replace(certificates);
    });
    return replaced.includes(true);
  }
}

class HeldCertificates implements ClientTls {
  #certificates: ClientCertificates | undefined;
  #current: SecureContext = createSecureContext();

  get current(): SecureContext {
    return this.#current;
  }

  /** True when they are others than before. */
  replace(certificates: ClientCertificates): boolean {
    if (isDeepStrictEqual(certificates, this.#certificates)) {
      return false;
    }
    this.#current = createSecureContext(certificates);
    this.#certificates = certificates;
    return true;
  }
}
