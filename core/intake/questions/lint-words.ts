/** Openers and turns of phrase that push towards an answer, in the languages questions are asked in. */
export const LEADING =
	/\b(?:wouldn'?t|shouldn'?t|couldn'?t|don'?t you (?:think|want|agree)|isn'?t it|aren'?t you|won'?t you|i (?:assume|suggest|recommend|propose|would)|we should|you should|you(?:'ll| will) (?:surely|probably|want|need)|obviously|of course|surely|clearly|naturally|i'?d (?:suggest|recommend)|it (?:would|might) be (?:better|best)|you (?:probably|surely) (?:want|need)|right\?|correct\?$)|(?:^|[\s,])(?:sicher(?:lich)?|natürlich|selbstverständlich|sollten sie nicht|wäre es nicht|ich (?:empfehle|schlage)|meinen sie nicht|oder\?$|nicht wahr)(?=[\s,?!.]|$)|(?:^|[\s,])(?:évidemment|bien sûr|ne (?:devriez|voudriez)|je (?:suggère|recommande)|n'est-ce pas|por supuesto|obviamente|no (?:debería|cree)|sugiero|recomiendo|verdad\?)|难道|显然|当然|不是吗|我(?:建议|推荐)|应该.*吧/iu;

/** Words that take something for granted. */
export const PRESUPPOSING =
	/\b(?:given that|since you|because you|as you (?:want|need|will)|assuming (?:that )?you|now that you|when you (?:launch|scale|grow|migrate)|apart from the usual|your existing|like most|as usual)\b|(?:^|\s)(?:da sie (?:ja|wollen)|weil sie|angenommen|puisque vous|étant donné|dado que|ya que)(?=\s)|既然|鉴于/iu;

export const EVALUATIVE =
	/\b(?:best|better|great|modern|simple|easy|powerful|robust|proper|ideal|perfect|state[- ]of[- ]the[- ]art|industry[- ]standard|popular|cutting[- ]edge|beautiful|sleek)\b|(?:^|\s)(?:am besten|idealerweise|modernes?|ideal|meilleure?|moderne|mejor|moderno)(?=[\s?,.]|$)|最好|现代化/iu;

export const RECOMMENDED =
	/\s*[([{（【]?\s*(?:recommended|suggested|default|preferred|best choice|most popular|empfohlen|standard(?:mäßig)?|recommandée?|conseillée?|recomendad[oa]|sugerid[oa]|推荐|建议|默认)\s*[)\]}）】]|[⭐★👍✅]\ufe0f?/giu;

/** Two questions in one. */
export const COMPOUND =
	/\band\/or\b|[?？].*[?？]|\b(?:and|or|as well as|plus)\s+(?:what|who|whom|which|how|when|where|why|do|does|is|are|should|will|would|can|could|must)\b|\b(?:und|oder)\s+(?:was|wer|welche[rsn]?|wie|wann|wo|warum|soll|sollen|ist|sind|kann|wird)\b|(?:^|\s)(?:et|ou)\s+(?:quel(?:le)?s?|qui|comment|quand|où|combien|est-ce)\b|(?:^|\s)(?:y|o)\s+(?:qué|quién|cuál|cómo|cuándo|dónde|cuánto)|(?:以及|并且|还有)(?:什么|谁|哪|如何|怎|是否|多少)/iu;

/** Products that a neutral question does not bring up by itself, lower-case. */
export const PRODUCTS: readonly string[] =
	'react angular vue svelte django flask rails laravel spring express next.js nextjs node.js nodejs postgres postgresql mysql mongodb sqlite redis oracle firebase supabase aws azure gcp heroku vercel netlify docker kubernetes stripe paypal shopify wordpress woocommerce slack salesforce auth0 okta graphql kafka rabbitmq elasticsearch python java javascript typescript golang rust php ruby kotlin swift flutter electron terraform jenkins github gitlab bootstrap tailwind figma twilio sendgrid mailchimp hubspot zapier notion airtable openai chatgpt'.split(
		' ',
	);

export const MAX_WORDS = 30;
/** For scripts without blanks. */
export const MAX_UNSPACED = 70;
