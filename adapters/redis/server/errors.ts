/** The private server did not come up, or one is there that does not answer. */
export class RedisServerFailed extends Error {
	override readonly name = 'RedisServerFailed';
	readonly code = 'redis_server_failed';
}

/** Neither given, nor ours, nor installable: the message says what was tried and what to do. */
export class RedisNotFound extends Error {
	override readonly name = 'RedisNotFound';
	readonly code = 'redis_not_found';
}
