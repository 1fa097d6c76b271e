// A tenant that is far above its share: it sends all requests of a connection at once, and opens another when that one
// ends.
import { once } from 'node:events';
import { connect } from 'node:net';
import process from 'node:process';

const { SERVICE_URL = '', TOKEN = '', CONNECTIONS = '', PIPELINED = '' } = process.env;
const { hostname, port, host } = new URL(SERVICE_URL);
const request = `GET /accounts?limit=100 HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${TOKEN}\r\n\r\n`;

process.stdout.write('sending\n');
await Promise.all(Array.from({ length: Number(CONNECTIONS) }, send));

async function send(): Promise<void> {
  for (;;) {
    const socket = connect(Number(port), hostname);
    socket.resume();
    // The service refuses connections when it has had enough of them.
    socket.on('error', () => undefined);
    const closed = once(socket, 'close');
    socket.write(request.repeat(Number(PIPELINED)));
    await closed;
  }
}
