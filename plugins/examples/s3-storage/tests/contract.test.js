import test, { after } from 'node:test';
import { describeStorageContract } from 'cadre/contracts/storage';
import plugin from '../index.js';
import { openServer } from './s3.js';

const server = await openServer();
after(server.close);

describeStorageContract({ test }, async () => ({ plugin, options: server.options() }));
