# ruff: noqa: RUF001 - other alphabets are the point of this file
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragproof_ray.metrics.refusal import is_refusal

REFUSALS = """\
No he encontrado esa información en los documentos.
I'm sorry, but I cannot answer that question based on the provided context.
The provided documents do not contain information about the CEO's shoe size.
I could not find this in the documentation.
Unfortunately, there is no information about that in the documents.
The context doesn't mention who founded Zorptonia.
I don't have enough information to answer this question.
There is no mention of Zorptonia in the provided sources.
That information is not available in the provided documents.
I cannot determine this from the context.
I'm unable to help with that request.
As an AI language model, I cannot provide medical advice.
I can't assist with that.
Not mentioned in the documents.
N/A
Unknown.
No information found.
This question is outside the scope of the documentation.
The documents describe the warranty but do not say anything about shoe sizes.
While the handbook covers parental leave, it does not mention sabbaticals.
I searched the knowledge base but found nothing about Zorptonia. Please contact support.
None of the passages mention Zorptonia.
Nothing in the sources addresses this.
I'm afraid I don't have that information. If you can share more details, I'd be happy to help.
I have no information about this topic.
It is not possible to answer this from the given context.
The answer cannot be determined from the passages provided.
I'm not sure; the sources do not say.
The text does not specify a date.
I must decline to answer that.
I won't speculate about that.
I do not have access to that information.
My sources don't cover this. You may want to ask HR directly.
Hmm, I'm not able to find anything on that. Could you rephrase the question?
Based on the provided context, I cannot answer this question. The context only discusses shipping times.
Sorry — no idea.
The retrieved passages talk about refunds and shipping; none of them address warranty transfer.
Insufficient information.
There isn't enough information in the context to determine the CEO's salary.
That's not something I can answer from these documents.
I only have information about shipping and returns, so I can't say.
We don't have any data on that.
I would need more information to answer that.
It's unclear from the context what the price is.
The documentation is silent on this point.
I couldn't locate any reference to that in the files provided.
No relevant information was found.
The knowledge base has no entry for Zorptonia.
I wasn't able to find an answer to your question in the handbook.
This is not covered in the handbook.
Your question falls outside what the available documents cover.
I'm not aware of any information on that subject.
Regrettably, the materials at hand offer no insight into this matter.
The excerpt ends before stating the amount, so I can't tell you.
I can't give you a reliable answer here.
Cannot answer.
Can't say.
Das weiß ich leider nicht.
Ich kann diese Frage nicht beantworten, da die Dokumente keine Informationen dazu enthalten.
Dazu liegen mir keine Informationen vor.
In den bereitgestellten Unterlagen wird das nicht erwähnt.
Leider konnte ich dazu nichts finden. Bitte wenden Sie sich an den Support.
Der Kontext enthält keine Angaben zur Schuhgröße.
Je ne sais pas.
Je n'ai pas trouvé cette information dans les documents.
Désolé, je ne peux pas répondre à cette question.
Les documents fournis ne mentionnent pas le fondateur de Zorptonia.
Cette information n'est pas disponible dans le contexte.
Aucune information à ce sujet n'est disponible.
No lo sé.
No tengo información sobre eso.
Lo siento, no puedo responder a esa pregunta.
Los documentos no mencionan quién fundó Zorptonia.
La información proporcionada no es suficiente para responder.
Não sei.
Não encontrei essa informação nos documentos.
Desculpe, não posso responder a essa pergunta.
Os documentos não mencionam o fundador.
Não há informações suficientes para responder.
Non lo so.
Non ho trovato questa informazione nei documenti.
Mi dispiace, non posso rispondere a questa domanda.
I documenti non menzionano il fondatore di Zorptonia.
Non ci sono informazioni sufficienti.
Ik weet het niet.
Ik kan deze vraag niet beantwoorden op basis van de documenten.
De documenten bevatten geen informatie over dit onderwerp.
Helaas kan ik dat niet vinden.
Я не знаю.
Я не нашёл эту информацию в документах.
К сожалению, в документах нет информации об этом.
Не могу ответить на этот вопрос.
В предоставленном контексте не упоминается основатель.
我不知道。
抱歉,我无法回答这个问题。
文档中没有提到这一点。
根据提供的资料,无法确定答案。
没有找到相关信息。
わかりません。
申し訳ありませんが、その情報は見つかりませんでした。
提供された文書には記載がありません。
お答えできません。
その質問に関する情報は含まれていません。
모르겠습니다.
죄송하지만 문서에서 해당 정보를 찾을 수 없습니다.
제공된 문서에는 관련 정보가 없습니다.
답변할 수 없습니다.
해당 내용은 언급되어 있지 않습니다.
I apologize, but I don't see anything about that in the files.
The passages don't tell us who invented it.
Nobody can tell from these documents.
I can't find that.
That's beyond what I can see in the sources.
There's nothing in the documentation about a student discount.
I do not know the answer to this question.
I regret to inform you that this detail is missing from the provided context.
The retrieved context is not relevant to the question, so I cannot answer it.
No answer can be given based on the documents.
Sorry, I have no record of that.
My knowledge base doesn't include pricing for 2027.
The answer isn't in the text.
I'd rather not guess. The sources say nothing on the matter.
This topic is not addressed in any of the documents I was given.
I haven't been able to find any details about that.
Your question can't be answered with the information I have.
Not enough context to answer.
The provided context lacks information on this.
I was unable to find a definitive answer.
That detail does not appear in the provided text.
Nope, can't help you there.
I can only answer questions about our products.
I'm designed to answer questions about housing, so I can't advise on tax.
I don't think the documents cover that.
I'm not certain, as the documents don't specify it.
Information about that is not provided.
The question cannot be answered.
Regarding Zorptonia's founder, the documents provide no details.
I am not allowed to share that information.
Sorry, but I'm not comfortable answering that.
It doesn't say.
The source material makes no reference to that.
I looked through all the passages and could not find who founded Zorptonia.
The documents mention Zorptonia, but not its founder.
Zorptonia's founder is not named in the provided documents.
The CEO's shoe size is not something the documents mention.
I have no way to know that.
Hierzu kann ich keine Auskunft geben.
Die Antwort steht nicht in den Dokumenten.
Keine Angabe.
Es tut mir leid, aber dazu habe ich keine Informationen.
Darüber ist mir nichts bekannt.
Das geht aus dem Text nicht hervor.
Je suis désolé, mais je n'ai pas cette information.
Le contexte ne permet pas de répondre à cette question.
Je l'ignore.
Il n'y a pas d'information sur ce sujet dans les documents.
Los textos no indican la fecha.
Lamentablemente no dispongo de esos datos.
No se menciona en el contexto.
Eu não sei a resposta.
O contexto não fornece essa informação.
Infelizmente, não tenho essa informação.
Il contesto non fornisce questa informazione.
Purtroppo non dispongo di queste informazioni.
Non sono in grado di rispondere.
Dat staat niet in de documenten.
Sorry, daar heb ik geen informatie over.
Daar kan ik geen antwoord op geven.
У меня нет информации об этом.
Извините, я не могу помочь с этим.
В документах об этом ничего не сказано.
Ответ на этот вопрос в документах отсутствует.
对不起,我没有这方面的信息。
资料中未提及创始人是谁。
我不清楚这个问题的答案。
无法从上下文中得出答案。
この質問にはお答えできません。
資料には記載されていません。
すみません、わかりません。
文脈からは判断できません。
그 정보는 제공되지 않았습니다.
질문에 대한 답을 찾을 수 없습니다.
문서에 나와 있지 않습니다.
알 수 없습니다.
I'm afraid the documentation I was given doesn't go into that.
There's no way for me to verify this with the sources at hand.
I'm sorry, I cannot help with that request.
My training doesn't let me answer that.
The files you shared contain nothing about a merger.
I checked every passage, and Zorptonia is never mentioned.
No source I have discusses this.
Could not find an answer in the knowledge base.
We have no information on record about this product.
Sorry, this is not something I'm able to answer.
I cannot provide an answer, since the context is missing this detail.
That wasn't specified in the text.
The context provided does not give the founder's name. You may wish to consult an encyclopedia.
Unfortunately I can't share that.
It isn't possible to tell from the passage.
I don't have any details on that, sorry!
The excerpt doesn't say when the bridge was built.
None of the documents provided answer this question.
I am unable to access real-time data.
Let me be honest: I don't know.
I really couldn't say.
No relevant documents were retrieved for this question.
The answer to this question is not in the provided documents.
I won't be able to answer that question.
I'm only trained to answer questions on our HR policies.
Your documents don't appear to contain this information.
The search returned no results for that query.
I have to say I don't know.
This falls outside my area of knowledge.
There is insufficient evidence in the documents to answer.
Entschuldigung, das kann ich nicht beantworten.
Im Handbuch steht dazu nichts.
Die Dokumente geben darüber keine Auskunft.
Je ne dispose pas de cette information.
Le document ne précise pas la date.
Lo siento, pero no encontré nada sobre eso.
El texto no especifica quién es el autor.
Desculpe, mas não sei.
Os textos fornecidos não dizem nada sobre isso.
Mi spiace, non lo so.
Il testo non specifica la data.
Het spijt me, ik weet het niet.
De tekst vermeldt dit niet.
К сожалению, я не знаю ответа на этот вопрос.
В тексте не указано, кто основал компанию.
很抱歉,提供的文件中没有相关信息。
这个问题我无法回答。
申し訳ございませんが、分かりかねます。
該当する情報がありませんでした。
죄송합니다. 잘 모르겠습니다.
제공된 자료에서는 확인할 수 없습니다.
I do not have that information in my sources.
It seems the documents don't include an answer to your question.
I'm sorry, but the information you're asking for isn't available to me.
Answer not found in context.
The question can't be resolved with the given material.
There doesn't appear to be any mention of Zorptonia in the text.
I could find no reference to that in the corpus.
Sadly, I have nothing on that.
I must admit I have no idea.
I can't make a determination based on this text.
The passage mentions several kings but not the one you ask about.
Unable to answer from the supplied documents.
I'm not in a position to answer that.
The text is about whales, so it doesn't answer the question about ships.
I'd love to help, but I don't have data on that.
We regret that we cannot answer this question.
Not stated.
Not enough information.
I have searched the available documents but couldn't find the price.
Per the documents provided, this isn't mentioned anywhere.
That's outside the scope of what I can help with.
I don't have any information regarding the CEO's shoe size. The documents only list the board members and their roles.
No. I can't help you build that.
I'm sorry, I can't comply with this request because it is against policy.
Leider enthält der Kontext diese Information nicht.
Dazu finde ich in den Unterlagen nichts.
Die Frage lässt sich anhand der Dokumente nicht beantworten.
Je ne peux malheureusement pas répondre à cette question.
Le texte n'en parle pas.
No encuentro esa información en el texto.
La respuesta no está en los documentos.
Não consigo responder com base nos documentos fornecidos.
A resposta não está no texto.
Non posso rispondere sulla base dei documenti.
La risposta non è presente nel testo.
Het antwoord staat niet in de tekst.
Op basis van de documenten kan ik dit niet zeggen.
Об этом в тексте не сказано.
Информация о дате отсутствует.
我没有找到相关的资料。
文中没有说明。
その点については記載されていません。
本文からは読み取れません。
문서에서 찾지 못했습니다.
그 부분은 언급되지 않았습니다.
I looked but the manual has no section on that.
This isn't something the sources talk about.
Sorry! Nothing in our help center covers this.
I'm going to have to say I don't know.
Those details aren't in the documentation I can see.
I cannot find any mention of a founder.
The given text makes no mention of costs.
It is not stated who signed the agreement.
As far as I can tell, the documents do not answer this.
I was unable to locate the requested information.
I'm sorry, I can't answer that based on the information provided.
The provided sources are about cooking and do not cover car repair.
We couldn't find an answer to your question.
The context only covers domestic flights, so I am unable to answer for international ones.
No info available.
The documents say nothing regarding overtime pay.
I can't be certain from these passages.
Apologies, but this request is outside what I'm able to do.
There's no data in the report about that.
My apologies, the answer does not appear in the context.
I have insufficient information to answer that.
Neither document mentions the budget.
That question isn't answered by the text.
Sorry, I'm not able to discuss that topic.
Based on the documents, it's impossible to say.
Ich habe dazu leider keine Informationen gefunden.
Das wird im Text nicht gesagt.
Aucun des documents ne mentionne cela.
Je ne peux pas vous aider avec cette demande.
No puedo ayudarte con eso.
No hay información sobre ese tema.
Não há menção a isso no texto.
Non ne ho idea.
Il contesto non contiene la risposta.
Ik heb daar geen gegevens over.
У меня недостаточно данных для ответа.
В источниках нет упоминаний об этом.
对此我没有相关信息。
上下文中没有足够的信息来回答。
その情報は提供されていません。
関連する記述は見当たりません。
관련 내용이 없습니다.
그것에 대해서는 알 수 없습니다.
I'm not finding anything about refunds in the material provided.
The documents I have access to don't touch on this subject.
We are unable to provide that information.
That topic isn't mentioned.
I can't seem to find that in our policies.
Sorry, your question is not covered by our documentation.
There was nothing in the retrieved text that answers the question.
The question asks about 2025, but the context only has data up to 2020. I cannot answer.
It's not possible to answer with the information given.
The provided text doesn't give any details about her education.
I don't know the exact date.
I must respectfully decline.
This can't be determined.
I have no knowledge of that event.
The document ends before the result is given, so the winner is unknown.
I am sorry but I do not have the necessary information to respond.
No mention of this was found.
Nothing relevant was found in the sources.
Hmm, that's not in my notes.
The answer is not stated.
Im Kontext gibt es keine Hinweise darauf.
Das kann ich leider nicht sagen.
Je n'ai aucune information à ce sujet.
Le contexte fourni ne contient pas la réponse.
No dispongo de información suficiente.
El contexto no proporciona esa información.
Lamento, mas não tenho acesso a essa informação.
Mi dispiace, ma non ho trovato nulla.
De context geeft hier geen antwoord op.
Данный вопрос не освещён в документах.
对不起,我不知道。
文本中没有提供这方面的信息。
ご質問の内容については、資料に記載がございません。
申し訳ありませんが、お答えすることができません。
문맥에서 답을 찾을 수 없습니다.
제공된 정보만으로는 답변하기 어렵습니다.
"""
ANSWERS = """\
The warranty does not cover water damage.
No, the plan does not include dental.
You cannot return items after 30 days.
We do not ship to Canada.
We cannot accept returns after 30 days.
The API returns null when the record is not found.
There is no fee for transfers under 100 euros.
Error 404 means the page could not be found on the server.
The policy does not cover pre-existing conditions.
You are not allowed to bring pets.
Employees who don't know their PIN should call 555-0100.
If the documents do not contain a signature, the application is rejected.
The function returns None if no match is found.
Unfortunately the museum is closed on Mondays.
Sorry for the confusion: the limit is 50 GB.
It does not include batteries.
There is no limit on the number of users.
The author says she does not know who wrote the letter.
The 'I don't know' button skips the question.
Socrates said: "I know that I know nothing."
The unknown soldier is buried under the arch.
No.
None.
Not required.
It is not available in Europe.
The contract cannot be terminated before June.
I can confirm that refunds take 14 days; I could not find a faster option.
The handbook says leave is 12 weeks, but it does not mention extensions.
The default port is 8080. The documentation doesn't say whether it can be changed.
The device is unable to connect when Bluetooth is off.
Use the reset link if you can't log in.
The judge declined to answer questions about the case.
It fails because the module is missing.
Applications without enough information are returned to the sender.
The tenant must not sublet the flat.
He refused the award in 1964.
The data are not stored outside the EU.
The cause of the fire is unknown, according to the report of 12 May.
Passwords never expire, and no information is shared with third parties.
The service provides no refunds for digital goods.
The manual does not allow opening the case.
The nonprofit was founded in 1990 by Ana Lopez.
Das Ticket ist nicht übertragbar.
Die Garantie gilt nicht für Wasserschäden.
Hunde sind im Gebäude nicht erlaubt.
Le billet n'est pas remboursable.
La garantie ne couvre pas les dégâts des eaux.
El billete no es reembolsable.
La garantía no cubre daños por agua.
O bilhete não é reembolsável.
Il biglietto non è rimborsabile.
Het ticket is niet overdraagbaar.
Билет не подлежит возврату.
Гарантия не распространяется на повреждения водой.
该票不可退款。
保修不包括水损坏。
このチケットは払い戻しできません。
ペットの同伴は認められていません。
이 티켓은 환불되지 않습니다.
애완동물은 허용되지 않습니다.
I would recommend the blue one, as it does not shrink.
The form asks for your tax number; without it the request cannot be processed.
Yes. The battery lasts 10 hours, and the charger is not included.
The error "no information available" is shown when the sensor is unplugged.
We're sorry, our store is closed on public holidays.
It takes 3 days. I don't know whether express delivery is offered.
Press F8 if you're unsure which mode is active.
The committee could not determine the cause and closed the case in 2019.
The researchers found no evidence of harm.
There is no evidence that the drug is effective.
The report found no information leak.
Customers lacking a receipt need to show an ID.
You need more information from the seller before filing form B.
The password must not contain spaces.
I don't have a preference, but the manual recommends the second method.
You can't change the username after sign-up.
If no information is available, the field shows a dash.
Although the documents do not give a date, the building opened in 1932.
I couldn't find an exact price, but similar models cost about 300 euros.
The museum has no information desk.
Yes, although I cannot see your account, refunds normally take five days.
No refunds are given after 30 days.
The report is not available before Friday.
The file is not included in the installer; download it from the site.
The method does not return a value.
Guests who cannot find the entrance should ring the bell.
The lid cannot be opened while the drum turns.
No. Pets are not covered by this policy.
The policy doesn't mention a fee, so transfers are free.
The treaty was never ratified.
It is unclear why he left, but he moved to Lyon in 1871.
The witness said he had no information about the theft.
Do not mention the discount to customers before May.
He didn't know the answer, so he asked his sister.
The server responds with "not found" when the id is wrong.
Bitte geben Sie keine Informationen an Dritte weiter.
Wenn Sie Ihre Karte nicht finden können, rufen Sie uns an.
Sie können den Vertrag nicht vor Juni kündigen.
Si vous ne trouvez pas votre carte, appelez le support.
Vous ne pouvez pas annuler après 24 heures.
Si no encuentra su tarjeta, llame a soporte.
No puede devolver el producto después de 30 días.
Se não encontrar o cartão, ligue para o suporte.
Não é possível cancelar após 24 horas.
Se non trovi la carta, chiama l'assistenza.
Non è possibile annullare dopo 24 ore.
Als u uw kaart niet kunt vinden, bel ons.
U kunt het contract niet voor juni opzeggen.
Если вы не можете найти карту, позвоните в поддержку.
Нельзя вернуть товар после 30 дней.
Документы не нужны для регистрации.
如果找不到您的卡,请致电客服。
30天后不能退货。
不需要提供任何文件。
カードが見つからない場合は、サポートに電話してください。
30日を過ぎると返品できません。
카드를 찾을 수 없는 경우 고객센터에 전화하세요.
30일이 지나면 반품할 수 없습니다.
별도의 서류는 필요하지 않습니다.
I recommend the 5 kg model because the smaller ones do not fit.
We won't charge you before the trial ends.
We do not share your information with third parties.
We don't know of any incompatibility with version 3.
I was charged twice means that two invoices exist; one is cancelled.
There is no charge. Your documents are not stored.
Access is refused when the token is older than an hour.
The plan has no data limit.
The letter says that we cannot help with customs fees.
Missing documents can be sent later by post.
The test result is unknown until the lab replies, usually after two days.
Non-members need to register first.
The warranty is void if the seal is missing.
The museum does not charge admission on Sundays.
I cannot stress enough how important backups are: run them nightly.
Nothing happens until you press Save.
Your booking can't be changed online; call the desk.
It was founded in 1990. I don't have the exact day.
No information is sent to the vendor.
The documents are not returned to applicants.
The context manager does not close the file.
You will not receive a refund without the original receipt.
The answer is no: transfers are limited to five a day.
If you don't know your meter number, look on the bill.
We can't send cash by post, so a bank transfer is used.
The guide covers setup but not repairs; repairs are in chapter 9.
Yes, but only on weekdays.
None of the rooms have air conditioning.
There is no deadline for corrections.
The exception means that the source was not found on the path.
Sorry, we moved! The office is now at 5 Elm Street.
I'm sorry you had trouble. Reset the router by holding the button for ten seconds.
The lawyer refused to answer the question, so the hearing was postponed.
It is not known to interact with alcohol.
The seal must not be broken before use.
Users without access see a blank page.
The index does not include deleted pages.
The text of the law does not mention bicycles, therefore they may use the lane.
He never answered the letter.
Because the sensor cannot find a signal, the light blinks red.
It's fine to skip the form when no data is available.
Unfortunately, delivery to islands takes two extra days.
The database could not be opened because the disk is full.
The team has no knowledge of the passwords; they are hashed.
Returns are not accepted, but exchanges are possible within 14 days.
The recipe calls for no sugar.
Please note that tickets cannot be resold.
Nein, die Garantie deckt das nicht ab.
Das Formular muss nicht unterschrieben werden.
Non, le parking n'est pas gratuit.
No, el desayuno no está incluido.
Não, o estacionamento não é gratuito.
No, la colazione non è inclusa.
Nee, parkeren is niet gratis.
Нет, завтрак не включён в стоимость.
不,早餐不包括在内。
いいえ、朝食は含まれていません。
아니요, 조식은 포함되어 있지 않습니다.
Der Antrag kann nicht online gestellt werden.
On ne peut pas payer par chèque.
No se puede pagar con cheque.
Das Gerät findet kein Netzwerk, wenn der Schalter aus ist.
The article explains why nobody knows who built the wall, and suggests monks did.
The clause was not included in the final contract.
You don't have access to the admin page unless your manager grants it.
I find no fault with the design, and it passed every test.
The guide says nothing will be lost during the upgrade.
The server cannot find the file, so it sends a 404.
The source of the river is not known for certain, but most maps show Lake Ana.
A record is not available until the nightly job has run.
The article was never published.
No documents are needed for children under 12.
No data on disk is encrypted by default.
There is no section on pets in the lease, so pets are allowed.
The text must not exceed 200 characters.
It cannot be determined in advance which worker runs first; the order is random.
I don't see why not: the limit is 100 and you use 60.
We don't have parking, but the station is near.
You won't find the setting under General; it is under Privacy.
The information desk is not open on Sundays.
Results are not guaranteed.
The policy is not available to part-time staff.
Data not needed is deleted after a year.
Ich kann das blaue Modell empfehlen, es läuft nicht ein.
Die Bibliothek hat sonntags nicht geöffnet.
Es gibt keine Parkplätze vor dem Haus.
Wir können keine Rücksendungen annehmen.
Elle ne fonctionne pas sans pile.
Il n'y a pas de parking.
No hay aparcamiento.
El documento no caduca.
Não há estacionamento.
Non abbiamo parcheggio.
Er is geen parkeerplaats.
We hebben geen vestiging in Bonn.
Мы не можем вернуть деньги без чека.
Документ не имеет срока действия.
我们不能退款。
该文件不需要签名。
個人情報は第三者に提供しません。
この書類は必要ありません。
개인 정보는 저장되지 않습니다.
자료가 필요 없습니다.
文档没有页数限制。
Die Dokumente müssen nicht beglaubigt werden.
Les documents ne sont pas nécessaires.
Los documentos no son necesarios.
I documenti non sono necessari.
Rate limits do not apply to admins.
The invoice is not due until the 15th.
You do not need a visa for stays under 90 days.
The engine won't start if the lid is open.
A user may not have more than three keys.
The report was completed in March 2021.
Children under four don't pay.
The rule was never enforced.
Not before 6 pm.
No, never.
It can't be undone.
The contract does not mention a penalty because none applies.
Documents older than ten years are not kept.
The information in the file is not encrypted.
They could not agree, so the vote was postponed.
Use None when the value is unknown.
Sorry, that was unclear: you need two forms.
The speaker said that nobody knows the answer.
The method raises KeyError if the key cannot be found in the context.
Unfortunately no: the ticket is personal.
Unlike version 1, version 2 does not support plugins.
I think it's Lisbon, but I'm not sure.
You can't miss it: turn left at the church.
The battery is not included in the box.
The parties did not disclose the price, which analysts put at 2 million euros.
Ihr Konto wird nicht gelöscht.
Kinder unter vier Jahren zahlen nichts.
Vous n'avez pas besoin de visa.
No necesita visado.
Você não precisa de visto.
Non serve il visto.
U heeft geen visum nodig.
Виза не нужна.
不需要签证。
ビザは必要ありません。
비자가 필요하지 않습니다.
The store has no entry fee.
The context for this decision was not the budget but the law.
Answers are not graded.
The text field cannot be empty.
Smoking is not permitted anywhere in the building.
The function does not modify its argument.
You won't be charged until the trial ends.
There are no fees for the first account.
She did not attend the meeting on Tuesday.
The lift is out of order; use the stairs.
The cache is not shared between workers.
No more than two bags may be carried.
It doesn't matter which port you pick.
A refund cannot be issued for used vouchers.
The company has not published a date, but analysts expect May.
I'd pick the second plan, since the first does not include support.
The file cannot be read because it lacks a header.
Contact support if the answer does not appear within a minute.
The witness could not identify the man.
He has no children.
The note reads: I cannot come tomorrow.
The policy covers theft but not loss.
The material is not flammable.
The search does not look inside archives.
Members without a card cannot enter after 9 pm.
Die Datei enthält keine Makros.
La base de données n'est pas chiffrée.
La base de datos no está cifrada.
De website gebruikt geen cookies.
База данных не содержит паролей.
数据库没有加密。
データベースは暗号化されていません。
데이터베이스는 암호화되어 있지 않습니다.
"""


@pytest.mark.parametrize("answer", REFUSALS.splitlines())
def test_declining_is_a_refusal(answer):
    assert is_refusal(answer)


@pytest.mark.parametrize("answer", ANSWERS.splitlines())
def test_answering_is_no_refusal(answer):
    assert not is_refusal(answer)


def test_typographic_quotes_are_folded():
    assert is_refusal("I don’t know.", "Who founded Zorptonia?")
    assert is_refusal("Sorry, that isn’t covered by the material I have.")


def test_emphasis_and_invisible_characters_are_folded():
    assert is_refusal("I **do not** kn\u200bow.")


def test_a_partial_answer_is_no_refusal():
    answer = (
        "Without the logs I cannot tell you exactly why, but the likely causes are "
        "a full disk or a bad path [d-2]."
    )

    assert not is_refusal(answer, "Why did it fail?")


def test_quoted_speech_is_no_refusal():
    answer = '"I cannot let you in," the clerk told the visitor, and closed the gate.'

    assert not is_refusal(answer, "Summarise the dialogue.")


def test_an_answer_that_is_all_quotation_is_read():
    assert is_refusal('"I don\'t know."')


def test_words_of_the_question_are_an_echo():
    question = "Why does it print 'cannot find module'?"
    answer = "The message 'cannot find module' means the path is wrong."

    assert not is_refusal(answer, question)
    assert not is_refusal(
        "Unable to answer calls", "What does 'unable to answer' mean?"
    )


def test_an_apology_with_an_answer_is_no_refusal():
    answer = "I'm sorry to hear about the delay. It ships on Monday [doc-4]."

    assert not is_refusal(answer, "When does my parcel ship?")


def test_a_condition_is_no_refusal():
    answer = "If you cannot find your card, call the support line on the back page."

    assert not is_refusal(answer, "I lost my card, what now?")


def test_a_redirection_alone_is_no_refusal():
    answer = "Please speak to the front desk about topics outside housing."

    assert not is_refusal(answer, "Tell me about rival products.")


def test_nothing_is_no_refusal():
    assert not is_refusal("")
    assert not is_refusal("?!")


@given(st.text(), st.text())
def test_any_text_is_read_without_an_error(answer, question):
    assert is_refusal(answer, question) in {True, False}
