import { MessageChannel } from 'node:worker_threads'
import type { FeedStart } from '#backend/live-runs/feed-messages.ts'
import { serveFeed } from '#backend/live-runs/feed-thread.ts'

/** A program that follows a live run as its thread does, to be killed: `node module.mjs START`, a `FeedStart` as JSON. */
const { port1, port2 } = new MessageChannel()
serveFeed(JSON.parse(process.argv[2] ?? '') as FeedStart, port2)
port1.on('message', () => {})
