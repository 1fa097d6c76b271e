import type { Exchange, ReadBodyOptions } from '@meridian/http';
import { DeadlineExceeded } from '@meridian/http';
import type { RouterConfig } from '@meridian/router-config';

import { requestError } from '../errors/request-error.ts';
import type { RequestInterceptor } from '../interceptors/gateway-request.ts';
import { checkPath } from '../pipeline/1-receive/check-path.ts';
import { responseMediaType } from '../pipeline/1-receive/media-types.ts';
import { preventCsrf } from '../pipeline/1-receive/prevent-csrf.ts';
import type { GatewayConfig } from '../config/gateway-config.ts';
import type { UploadLimits } from '../config/traffic-limits.ts';
import { ChangedExchange } from '../stages/changed-exchange.ts';
import type { UploadMetrics } from '../telemetry/upload-metrics.ts';
import { Upload } from './upload.ts';

/** A GraphQL multipart request, as a request with a body in JSON. */
class UploadExchange extends ChangedExchange {
  readonly #upload: Upload;

  constructor(original: Exchange, upload: Upload) {
    const { 'content-length': _length, 'transfer-encoding': _coding, ...headers } = original.headers;
    super(original, { headers: { ...headers, 'content-type': 'application/json' } });
    this.#upload = upload;
  }

  override readBody(options: ReadBodyOptions): Promise<Buffer> {
    return this.#upload.readOperation(options);
  }
}

export interface ReceiveOptions {
  readonly graphPaths: GatewayConfig['graphPaths'];
  readonly limits: UploadLimits;
  readonly metrics: UploadMetrics;
  readonly csrf: RouterConfig['csrf'];
  /** True where tokens may come in cookies, which a browser sends with a form of any page. */
  readonly readsCookies: boolean;
}

/**
 * Takes GraphQL multipart requests: to all stages, each is a request with a body in JSON. Its files arrive while its
 * operation runs. As with any request, one that a foreign page may have made a browser send is rejected: a form needs a
 * header field that causes a preflight.
 */
export function receiveUploads({
  graphPaths,
  limits,
  metrics,
  csrf,
  readsCookies,
}: ReceiveOptions): RequestInterceptor {
  const csrfRules = readsCookies ? { ...csrf, unsafe_disabled: false } : csrf;
  const receive: RequestInterceptor = async (request, next) => {
    const { exchange, signal } = request;
    const { headers } = exchange;
    // As with any request: its path first, and its rejections count against its peer.
    request.context.route = checkPath(exchange, graphPaths);
    request.mediaType = responseMediaType(headers.accept);
    preventCsrf(headers, csrfRules);
    if ((headers['content-encoding'] ?? 'identity') !== 'identity') {
      throw requestError('UNSUPPORTED_MEDIA_TYPE', 'A body with files must be sent without a content coding');
    }
    const body = exchange.openBody?.();
    if (body === undefined) {
      return await next(request);
    }
    const upload = new Upload({
      ...limits,
      body,
      contentType: headers['content-type'] ?? '',
      onFailure: (error) => signal.abort(error),
    });
    request.upload = upload;
    request.exchange = new UploadExchange(exchange, upload);
    try {
      return await next(request);
    } catch (error) {
      // The deadline of the request ends it by itself, but it was the client that took the time.
      throw error instanceof DeadlineExceeded ? (upload.lateness ?? error) : error;
    } finally {
      metrics.onRequest(upload.received);
      upload.close();
    }
  };
  return (request, next) => {
    const { method, headers } = request.exchange;
    const isForm = method === 'POST' && formType.test(headers['content-type'] ?? '');
    return isForm ? receive(request, next) : next(request);
  };
}

const formType = /^\s*multipart\/form-data\s*(?:;|$)/i;
