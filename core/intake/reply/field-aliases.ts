import { FIELD_NAMES, type FieldName } from '../final-fields.ts';

/** Labels that models write when they follow the person's language, folded as `foldLabel` folds. */
const TRANSLATED: Readonly<Record<FieldName, string>> = {
	REQUIREMENTS_COMPLETE:
		'ANFORDERUNGEN_VOLLSTANDIG ANFORDERUNGEN_VOLLSTAENDIG ANFORDERUNGEN_KOMPLETT EXIGENCES_COMPLETES BESOINS_COMPLETS REQUISITOS_COMPLETOS REQUERIMIENTOS_COMPLETOS 需求完成 需求已完成 需求完整 要件完了 REQUISITI_COMPLETI REQUIREMENT_COMPLETE',
	PROLOG_FACTS: 'PROLOG_FAKTEN FAITS_PROLOG HECHOS_PROLOG PROLOG事实 PROLOG_事实 事实 FATTI_PROLOG PROLOG_FACT',
	ESCALATE_TO:
		'ESKALIEREN_AN WEITERGEBEN_AN ESCALADER_A ESCALADER_VERS TRANSMETTRE_A ESCALAR_A 升级到 上报给 升级给 ESCALARE_A',
	TASK_SUMMARY:
		'AUFGABENZUSAMMENFASSUNG ZUSAMMENFASSUNG_DER_AUFGABE RESUME_DE_LA_TACHE RESUMEN_DE_LA_TAREA RESUMEN_DE_TAREA 任务摘要 任务概述 任务总结 概要 RIEPILOGO_ATTIVITA',
	PROJECT_NAME:
		'PROJEKTNAME PROJEKT_NAME NOM_DU_PROJET NOM_DE_PROJET NOMBRE_DEL_PROYECTO NOMBRE_DE_PROYECTO 项目名称 项目名 プロジェクト名 NOME_DEL_PROGETTO',
};

const BY_LABEL: ReadonlyMap<string, FieldName> = new Map([
	...FIELD_NAMES.map((name) => [name, name] as const),
	...FIELD_NAMES.flatMap((name) => TRANSLATED[name].split(' ').map((label) => [label, name] as const)),
]);

/** A label without dress: capitals, no accents, no marks around it, blanks and hyphens as underscores. */
function foldLabel(label: string): string {
	return label
		.normalize('NFD')
		.replace(/\p{M}+/gu, '')
		.toUpperCase()
		.replace(/[\s_-]+/gu, '_')
		.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '');
}

/** The field a label names, in any case, dress or known language. */
export function fieldOf(label: string): FieldName | undefined {
	return label.length > 80 ? undefined : BY_LABEL.get(foldLabel(label));
}
