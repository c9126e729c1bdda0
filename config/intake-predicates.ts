export type DefaultDimension = 'D1' | 'D2' | 'D3' | 'D4' | 'D5' | 'D6' | 'D7';

/** A kind of fact that may be handed on, where it belongs and how it reads. */
export interface PredicateRule {
	arities: number[];
	dimension: DefaultDimension;
	label: string;
}

const rule = (dimension: DefaultDimension, label: string, ...arities: number[]): PredicateRule => ({
	arities,
	dimension,
	label,
});

/** The vocabulary of facts that the policies and the next stage know. */
export const DEFAULT_PREDICATES: Record<string, PredicateRule> = {
	project: rule('D1', 'Project', 1),
	project_type: rule('D1', 'Kind of project', 1),
	goal: rule('D1', 'Goal', 1),
	has_feature: rule('D1', 'Feature', 1, 2),
	user_role: rule('D1', 'User role', 1, 2),
	role_can: rule('D1', 'Right of a role', 2),
	out_of_scope: rule('D1', 'Not wanted', 1),
	depends_on: rule('D1', 'Depends on', 2),
	priority: rule('D1', 'Priority', 2),
	uses_technology: rule('D2', 'Technology', 1, 2),
	platform: rule('D2', 'Platform', 1, 2),
	programming_language: rule('D2', 'Programming language', 1),
	data_entity: rule('D3', 'Data', 1),
	data_field: rule('D3', 'Data field', 2, 3),
	data_relation: rule('D3', 'Relation in the data', 2, 3),
	data_volume: rule('D3', 'Amount of data', 2, 3),
	stores: rule('D3', 'Stores', 1, 2),
	retention: rule('D3', 'Retention', 2, 3),
	requires_ui: rule('D4', 'User interface', 1),
	interface: rule('D4', 'Interface', 1, 2),
	integrates_with: rule('D4', 'Works with', 1, 2),
	has_payment: rule('D4', 'Payment', 1),
	language: rule('D4', 'Language of the interface', 1),
	quality: rule('D5', 'Quality', 1, 2, 3),
	performance: rule('D5', 'Performance', 2, 3),
	users_expected: rule('D5', 'Expected users', 1, 2),
	availability: rule('D5', 'Availability', 1, 2),
	security: rule('D5', 'Security', 1, 2),
	deploy_on: rule('D6', 'Runs on', 1, 2),
	hosting: rule('D6', 'Hosting', 1, 2),
	environment: rule('D6', 'Environment', 1, 2),
	budget: rule('D7', 'Budget', 1, 2, 3),
	deadline: rule('D7', 'Deadline', 1, 2),
	compliance: rule('D7', 'Compliance', 1, 2),
	constraint: rule('D7', 'Constraint', 1, 2),
	team: rule('D7', 'Team', 1, 2),
};
