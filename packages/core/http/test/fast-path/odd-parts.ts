import type { GeneratedRequest } from './plain-requests.ts';
import type { Random } from '@meridian/testing';

// The unusual and faulty parts of requests. A list of texts is one text with bars between them.

export const oddMethods = [
  ...'get|Post|HEAD|PUT|DELETE|OPTIONS|PATCH|TRACE|CONNECT|QUERY|PRI|M-SEARCH|FETCH|| GET|GET '.split('|'),
  ...'\tGET|GET\t|GE T|GET\u0000|POS|POSTS|GETPOST|G\u00c9T|SOURCE'.split('|'),
];

export const oddVersions = [
  ...'HTTP/1.0|HTTP/0.9|HTTP/2.0|HTTP/1.2|HTTP/1|HTTP/1.|HTTP/11|HTTP/1.10|HTTP/01.1|HTTP/3'.split('|'),
  ...'http/1.1|Http/1.1|HTTP/1.1 |HTTP/1.1\t| HTTP/1.1|\tHTTP/1.1|HTTP /1.1|HTTPS/1.1|ICE/1.0'.split('|'),
  ...'RTSP/1.0||HTTP/-1.1|HTTP/1,1|HTTP/1.1 HTTP/1.1|HTTP/1.1\u0000'.split('|'),
];

export const oddCharacters = [
  ...'\u0000|\u0001|\t|\n|\r|\u000b|\f|\u001b| |  |"|#|(|,|/|:|;|<|=|@|[|\\|{|\u007f|\u0080'.split('|'),
  ...'\u0085|\u00a0|\u00ad|\u00e9|\u00ff|\r\n|\r\n |\n\t|\r\r\n'.split('|'),
];

export const oddLineEnds = '|\n|\r|\r\r\n|\n\r\n|\r\n\r\n| \r\n|\t\r\n|\u0000\r\n|\r\n |\r\n\t|\r\n\r'.split(
  '|',
);

export const oddSeparators = '|:|:  |:\t|: \t | : |\t: | :|:: | |=|:\r\n |:\n|:\r|:\u0000|:\u000b'.split('|');

export const oddNames = [
  ...'__proto__|__PROTO__|constructor|Constructor|toString|hasOwnProperty|valueOf'.split('|'),
  ...'__defineGetter__|Set-Cookie|set-cookie|Cookie|ETag|Retry-After|From|Age|Location|Referer'.split('|'),
  ...'Server|1|0|| |a b| a|a |\ta|a\t|a(b)|a\u00e9|a/b|a"b|a\u0000|A_b|-|.|content_length'.split('|'),
  ...'Content-Length |Content-Length\t| Content-Length|Content-Lengt|Content-Length2'.split('|'),
  ...'Transfer_Encoding|Transfer-Encoding |Transfer-Encodin|TransferEncoding|Content-Encoding'.split('|'),
  "a!#$%&'*+-.^_`|~b",
  'X-'.repeat(99),
];

export const oddHosts = [
  ...'|a b|a/b|a:x|a:|:80|a:80:80|[::1]|[::1|a@b|a,b|a%20|a%2|*|A.EXAMPLE.|"a"|a\tb|\u00e9|a#b'.split('|'),
  ..."a?b|.|http://a|[v1.x]|_|!$&'()*+,;=~|a\\b".split('|'),
  'a'.repeat(5000),
];

export const oddEncodings = [
  ...'chunked|Chunked|CHUNKED|identity|| chunked|chunked |\tchunked|chunked\t|x|xchunked'.split('|'),
  ...'chunkedx|gzip, chunked|chunked, gzip|chunked, chunked|chunked,|,chunked|chunked, identity'.split('|'),
  ...'identity, chunked|chunked;q=1|"chunked"|chunked\u0000|\u000bchunked|chunked\r\n x'.split('|'),
  ...'\r\n chunked|chun ked'.split('|'),
];

export const chunkedBodies = [
  ...'0\r\n\r\n|5\r\nhello\r\n0\r\n\r\n|05\r\nhello\r\n0\r\n\r\n|5;a=b\r\nhello\r\n0\r\n\r\n'.split('|'),
  ...'5\nhello\n0\n\n|5\r\nhello\r\n0\r\nX: y\r\n\r\n|5\r\nhello0\r\n\r\n'.split('|'),
  ...'5 \r\nhello\r\n0\r\n\r\n|0x5\r\nhello\r\n0\r\n\r\n|-5\r\nhello\r\n0\r\n\r\n|zz\r\n'.split('|'),
  ...'5\r\nhel||fffffffffffffffff\r\nhello\r\n|5\r\r\nhello\r\n0\r\n\r\n'.split('|'),
  ...'0\r\n\r\nGET /smuggled HTTP/1.1\r\nHost: b\r\n\r\n|5;\n\r\nhello\r\n0\r\n\r\n'.split('|'),
];

export const connections = [
  ...'close|Close|CLOSE|keep-alive|Keep-Alive|KEEP-ALIVE|keep-alive, x|close, keep-alive|x|'.split('|'),
  ...'keep-alive, close|keep-alive,|upgrade|keep-alive | keep-alive|Content-Length|TE, close'.split('|'),
  ...'keep-alive\t'.split('|'),
];

export const connectionFields = [
  ...'Proxy-Connection|Keep-Alive|TE|Trailer|Upgrade|HTTP2-Settings|Transfer-Encoding|Connection'.split('|'),
  ...'proxy-connection|keep-alive|te|Via|Max-Forwards|Content-Encoding|Connections'.split('|'),
];

export const oddTargets: readonly (() => string)[] = [
  () => 'http://other.example/path?x=1',
  () => 'HTTP://other.example',
  () => 'https://user:password@other.example:443/',
  () => 'ftp://other.example/',
  () => 'http://[/',
  () => 'http:///',
  () => 'other.example:443',
  () => '*',
  () => '',
  () => 'path',
  () => '?x',
  () => '/a#fragment',
  () => '/a?b#fragment?c',
  () => '/#',
  () => '#',
  () => '/a b',
  () => '/a\tb',
  () => '/a\u00e9',
  () => '/\u00ff\u0080',
  () => '/\0',
  () => '/\u0001',
  () => '/\u007f',
  () => '/a\x0b',
  () => '/a\rb',
  () => '/a\nb',
  () => '/ ',
  () => ' /',
];

export const longTargets: readonly ((random: Random) => string)[] = [
  (random) => `/${'a'.repeat(random.pick([4095, 4096, 4097, 6000]))}`,
  (random) => `/${'a'.repeat(random.pick([4094, 4095, 4096]))}?`,
  (random) => `/?${'a'.repeat(random.pick([4093, 4094, 4095, 4096, 16_300, 16_384, 65_000, 65_530]))}`,
];

export const oddValues: readonly ((random: Random) => string)[] = [
  () => '',
  () => ' ',
  () => '\t',
  () => ' x',
  () => 'x ',
  () => 'x\t',
  () => 'x  y',
  () => 'x\ty',
  () => 'x\r\n y',
  () => 'x\r\n\ty',
  () => 'x\ny',
  () => 'x\ry',
  () => 'x\0y',
  () => 'x\x7fy',
  () => 'caf\xe9',
  () => '\xc3\xa9',
  () => '\x80',
  () => ',',
  () => 'x, y',
  () => '"x"',
  () => '~!@#$%^&*()_+`-={}|[]\\:";\'<>?,./',
  () => '0',
  (random) => 'v'.repeat(random.pick([4096, 16_300, 65_400, 65_537])),
];

export const oddLengths: readonly ((request: GeneratedRequest) => string)[] = [
  ({ body }) => `+${body.length}`,
  ({ body }) => `-${body.length}`,
  ({ body }) => `000${body.length}`,
  ({ body }) => `000000000000000000000000${body.length}`,
  ({ body }) => `${body.length}, ${body.length}`,
  ({ body }) => `${body.length},`,
  ({ body }) => `${body.length} `,
  ({ body }) => ` ${body.length}`,
  ({ body }) => `\t${body.length}`,
  ({ body }) => `${body.length}\t`,
  ({ body }) => `${body.length}.0`,
  ({ body }) => `0x${body.length.toString(16)}`,
  ({ body }) => `${body.length} ${body.length}`,
  ({ body }) => `${body.length}\0`,
  ({ body }) => String(body.length + 1),
  ({ body }) => String(Math.max(0, body.length - 1)),
  ({ body }) => String(body.length),
  ({ body }) => `${body.length}e0`,
  ({ body }) => `\xb2${body.length}`,
  () => '0',
  () => '00',
  () => '-0',
  () => '',
  () => 'x',
  () => '1',
  () => '999999999',
  () => '9999999999',
  () => '65536',
  () => '65537',
  () => '2000000',
  () => '18446744073709551615',
  () => '18446744073709551616',
  () => '18446744073709551621',
  () => '9'.repeat(400),
];
