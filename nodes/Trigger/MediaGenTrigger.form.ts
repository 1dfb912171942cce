import { triggerProperties, triggerSubtitle } from '../shared/form/triggerProperties';
import { JOB_TRIGGER } from '../shared/spec/catalogs';

export { TRIGGER_HINT as BUILDER_HINT } from '../shared/form/builderHints';

export const SUBTITLE = triggerSubtitle(JOB_TRIGGER);

export const properties = () => triggerProperties(JOB_TRIGGER);
