import type {
	APIAllowedMentions,
	APIEmbed,
	APIMessageReferenceSend,
	APIMessageTopLevelComponent,
} from 'discord-api-types/v10';

/** A file of a multipart request, or one that a person attached. */
export interface UploadedFile {
	/** Index in `files[n]`, matched with `attachments[].id`. */
	index: number;
	name: string;
	contentType: string;
	bytes: Uint8Array;
}

/** What bots send to make or edit a message, JSON and multipart alike. Unknown keys are ignored, as Discord does. */
export interface MessageBody {
	content?: string | null;
	tts?: boolean;
	nonce?: string | number | null;
	enforce_nonce?: boolean;
	embeds?: APIEmbed[] | null;
	components?: APIMessageTopLevelComponent[] | null;
	flags?: number | null;
	allowed_mentions?: APIAllowedMentions | null;
	message_reference?: APIMessageReferenceSend | null;
	attachments?: { id: string | number; filename?: string; description?: string | null }[] | null;
	files: UploadedFile[];
}
