/**
 * A token of RFC 9110 §5.6.2: the name of a header field, or a method. What a name may have decides where a message
 * ends, so all who read or write one use this.
 */
export const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
