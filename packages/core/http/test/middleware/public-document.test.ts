import { describe, expect, it } from '@jest/globals';
import { publicDocument } from '@meridian/http';
import { createExpressApp, resource } from '@meridian/http/express';
import supertest from 'supertest';

const app = createExpressApp();
resource(app, '/page', {
  GET: [
    publicDocument({
      mediaType: 'text/html',
      charset: 'utf-8',
      text: '<p>Grüße',
      headers: { 'X-Content-Type-Options': 'nosniff' },
    }),
  ],
});
resource(app, '/same', {
  GET: [publicDocument({ mediaType: 'text/html', charset: 'utf-8', text: '<p>Grüße' })],
});
resource(app, '/other', { GET: [publicDocument({ mediaType: 'application/json', text: '{}' })] });
const client = supertest(app);

describe('publicDocument', () => {
  it('answers 200 with the text, cacheable by anyone for five minutes', async () => {
    const response = await client.get('/page').expect(200);
    expect(response.text).toBe('<p>Grüße');
    expect(response.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'content-length': '10',
      'cache-control': 'private, max-age=0, must-revalidate',
      'x-content-type-options': 'nosniff',
      etag: expect.stringMatching(/^"[\w-]{22}"$/),
    });
  });

  it('answers JSON without a charset', async () => {
    const response = await client.get('/other').expect(200);
    expect(response.headers['content-type']).toBe('application/json');
  });

  it('answers 304 to the validator of the same text, and 200 to another', async () => {
    const { headers } = await client.get('/same').expect(200);
    const unchanged = await client
      .get('/page')
      .set('If-None-Match', headers['etag'] ?? '')
      .expect(304);
    expect(unchanged.headers).toMatchObject({
      etag: headers['etag'],
      'cache-control': 'private, max-age=0, must-revalidate',
    });
    expect(unchanged.headers).not.toHaveProperty('content-type');
    await client
      .get('/other')
      .set('If-None-Match', headers['etag'] ?? '')
      .expect(200);
  });
});
