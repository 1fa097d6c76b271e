import { requestError } from '../errors/request-error.ts';

/** The rejection of a request whose files cannot be passed on as they arrive. The messages are similar to Apollo Router's. */
export function cannotStream(message: string): Error {
  return requestError('FILE_UPLOADS_OPERATION_CANNOT_STREAM', message);
}

/** The rejection of a request with too many files. */
export function tooManyFiles(max: number): Error {
  return requestError(
    'FILE_UPLOADS_LIMITS_MAX_FILES_EXCEEDED',
    `Exceeded the limit of ${max} file uploads in a single request`,
  );
}
