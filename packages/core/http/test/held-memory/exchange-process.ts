// A server of exchanges in a process of its own, with the fast path or with `node:http` alone.
import process from 'node:process';

import { StopController } from '@meridian/cancellation';
import type { ServeExchange } from '@meridian/http';
import { createHttpServer, exchangeListener, listen, problemRenderer } from '@meridian/http';
import { createLogger, createMetrics } from '@meridian/telemetry';
import { createSelfSignedCertificate } from '@meridian/testing';
import { readPath } from '@meridian/testing/held-memory';

const signal = new StopController();
const serve: ServeExchange = (exchange) => {
  if (exchange.url === readPath) {
    // The body never ends, and the exchange with its connection.
    void Promise.resolve(exchange.readBody({ maxBytes: 1_000_000, signal })).catch(() => {});
    return;
  }
  exchange.send({ status: 404, body: '{"title":"Not Found"}' }, []);
};
const { cert, key } = createSelfSignedCertificate();
const { server } = createHttpServer({
  ...(process.env['WITH_FAST_PATH'] === 'true' ? { serve } : { handler: exchangeListener(serve) }),
  tls: process.env['WITH_TLS'] === 'true' ? { certificate: cert, key } : undefined,
  renderProblem: problemRenderer('https://api.example'),
  logger: createLogger({ service: 'example', level: 'silent' }),
  metrics: createMetrics({ service: 'example' }),
});
const address = await listen(server, { host: '127.0.0.1', port: 0 });
process.stdout.write(`${JSON.stringify({ address, adminAddress: address })}\n`);
