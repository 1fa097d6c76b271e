// A server of exchanges in a process of its own, with the fast path or with `node:http` alone.
import process from 'node:process';

import type { ServeExchange } from '@meridian/http';
import { createHttpServer, exchangeListener, listen, problemRenderer } from '@meridian/http';
import { createLogger, createMetrics } from '@meridian/telemetry';

const serve: ServeExchange = (exchange) => exchange.send({ status: 404, body: '{"title":"Not Found"}' }, []);
const { server } = createHttpServer({
  ...(process.env['WITH_FAST_PATH'] === 'true' ? { serve } : { handler: exchangeListener(serve) }),
  renderProblem: problemRenderer('https://api.example'),
  logger: createLogger({ service: 'example', level: 'silent' }),
  metrics: createMetrics({ service: 'example' }),
});
const address = await listen(server, { host: '127.0.0.1', port: 0 });
process.stdout.write(`${JSON.stringify({ address, adminAddress: address })}\n`);
