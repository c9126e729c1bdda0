import { Hono } from 'hono';
import {
	answerInteraction,
	type CallbackBody,
	demandLiveToken,
	editResponse,
	findResponse,
	followUp,
} from '../interactions/interaction-responder.ts';
import { deleteMessage } from '../messages/poster.ts';
import { renderMessage } from '../state/render.ts';
import { messageBodyOf, noContent, param, type RestContext, type RestEnv, type RestServices } from './rest-context.ts';

/** Callbacks and interaction webhooks: the token in the path is the only credential. */
export function interactionRoutes({ world, interactions }: RestServices): Hono<RestEnv> {
	const app = new Hono<RestEnv>();
	const liveOf = (c: RestContext) => demandLiveToken(interactions, param(c, 'application'), param(c, 'token'));

	app.post('/interactions/:id/:token/callback', (c) => {
		const { json, files } = c.get('body');
		const body: CallbackBody = { ...(json as Omit<CallbackBody, 'files'>), files };
		const result = answerInteraction(world, interactions, param(c, 'id'), param(c, 'token'), body);
		return c.req.query('with_response') === 'true' ? c.json(result) : noContent(c);
	});
	app.post('/webhooks/:application/:token', (c) => {
		const interaction = liveOf(c);
		const message = followUp(world, interactions, interaction, messageBodyOf(c));
		return c.json(renderMessage(world, message, interaction.applicationId));
	});
	app.get('/webhooks/:application/:token/messages/:message', (c) => {
		const interaction = liveOf(c);
		return c.json(
			renderMessage(world, findResponse(world, interaction, param(c, 'message')), interaction.applicationId),
		);
	});
	app.patch('/webhooks/:application/:token/messages/:message', (c) => {
		const interaction = liveOf(c);
		const message = findResponse(world, interaction, param(c, 'message'));
		const edited = editResponse(world, interactions, interaction, message, messageBodyOf(c));
		return c.json(renderMessage(world, edited, interaction.applicationId));
	});
	app.delete('/webhooks/:application/:token/messages/:message', (c) => {
		const interaction = liveOf(c);
		deleteMessage(world, findResponse(world, interaction, param(c, 'message')));
		interactions.touch(interaction);
		return noContent(c);
	});
	return app;
}
