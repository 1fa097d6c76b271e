import { text } from './text.ts';

/** A token of RFC 9110 §5.6.2: the name of a header field, or a method. */
export const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

export const headerName = text({
  pattern: token,
  takes: 'the name of a header field',
  example: 'x-name',
});
