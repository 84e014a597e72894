import { Redis } from 'ioredis';

/** Calls `publish` with the `livePresence` of each message in the bench's Redis channel. */
export async function onPresence(publish) {
  const redis = new Redis(process.env.REDIS_URL);
  await redis.subscribe(process.env.CHANNEL);
  redis.on('message', (_channel, message) => publish(JSON.parse(message).payload.data.livePresence));
}
