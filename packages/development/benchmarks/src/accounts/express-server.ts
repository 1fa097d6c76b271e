// The bare handler as one route of Express, set up as the service sets it up: what Express costs.
import express from 'express';

import { listenAndAnnounce } from '../harness/listen-and-announce.ts';
import { respondBarely } from './bare-handler.ts';

const app = express();
app.enable('case sensitive routing');
app.enable('strict routing');
app.disable('x-powered-by');
app.disable('etag');
app.get('/accounts/:id', respondBarely);
listenAndAnnounce(app);
