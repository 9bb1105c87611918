/** What the API answers about files, configurations and measurements, by the words of these pages. */
export type {
	Comparison,
	ConfigurationDetail,
	ConfigurationItem as Configuration,
	EngineVersions,
	ForecastRecord,
	InputError as Issue,
	KeptDecision,
	ModelItem as Model,
	ReconciledMonth,
	RunDetail,
	RunItem as Run,
	ScenarioDetail,
	ScenarioItem,
	StoredMeasurement as Measurement,
	UploadAnswer,
} from "@plimsoll/api";
