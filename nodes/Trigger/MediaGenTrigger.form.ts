import { triggerProperties, triggerSubtitle } from '../shared/form/triggerProperties';
import { JOB_TRIGGER } from '../shared/spec/catalogs';

export const SUBTITLE = triggerSubtitle(JOB_TRIGGER);

export const properties = () => triggerProperties(JOB_TRIGGER);
