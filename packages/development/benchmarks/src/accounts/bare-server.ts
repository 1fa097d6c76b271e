// The bare handler on node:http.
import { listenAndAnnounce } from '../harness/listen-and-announce.ts';
import { respondBarely } from './bare-handler.ts';

listenAndAnnounce((request, response) => void respondBarely(request, response));
