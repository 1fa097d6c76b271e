export { eventually } from '@meridian/testing';
